package dev.handoff.internal.facade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Handoff;
import dev.handoff.InvalidRequestException;
import dev.handoff.JobHandle;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.QueueInfo;
import dev.handoff.UnavailableException;
import dev.handoff.internal.facade.start.EngineBuilder;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("The queues of an engine")
class EngineQueuesTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final HeldHandler held = new HeldHandler();
  private HeldStore store;
  private Handoff handoff;

  @BeforeEach
  void start() {
    handoff =
        EngineBuilder.on(actors.system())
            .store(home.store())
            .around(inner -> store = new HeldStore(inner))
            .shutdownGrace(Duration.ZERO)
            .cancelling(Duration.ofMillis(10), Duration.ofSeconds(10))
            .handler("held", Json.class, held)
            .start();
  }

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  private QueueInfo queue(String name) {
    return BoundedWaits.get(handoff.queues().list()).stream()
        .filter(queue -> queue.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private JobHandle submit(String queue) {
    return handoff.submitOrThrow(JobRequest.of("held").queue(queue));
  }

  @Test
  void areNoneAtFirst() {
    assertThat(BoundedWaits.get(handoff.queues().list())).isEmpty();
  }

  @Test
  void tellWhatTheyHoldOverAllPartitions() {
    BoundedWaits.get(handoff.queues().limit("mail", OptionalInt.of(2)));
    for (int i = 0; i < 8; i++) {
      submit("mail");
    }
    handoff.submitOrThrow(JobRequest.of("held").queue("mail").delay(Duration.ofDays(1)));
    held.next();
    held.next();

    var all = new QueueInfo("mail", false, 6, 1, 2, OptionalInt.of(2));
    BoundedWaits.until("all have settled in " + all, () -> queue("mail").equals(all));
    BoundedWaits.get(handoff.queues().limit("mail", OptionalInt.empty()));
    for (int i = 0; i < 6; i++) {
      held.next();
    }
    BoundedWaits.until("all run", () -> queue("mail").running() == 8);
    assertThat(queue("mail").maxRunning()).isEmpty();
  }

  @Test
  void canBePausedAlsoOverARestart() {
    BoundedWaits.get(handoff.queues().pause("mail"));
    BoundedWaits.get(handoff.queues().pause("mail"));
    var waiting = submit("mail");
    submit("images");
    held.next().succeed(null);
    assertThat(queue("mail").paused()).isTrue();

    handoff.close();
    start();
    submit("images");
    held.next().succeed(null);
    assertThat(queue("mail").queued()).isEqualTo(1);

    BoundedWaits.get(handoff.queues().resume("mail"));
    var attempt = held.next();
    assertThat(attempt.job().id()).isEqualTo(waiting.id());
    attempt.succeed(null);
  }

  @Test
  void refuseWhatIsNoNameAndNoLimit() {
    assertThatThrownBy(() -> handoff.queues().pause("a b"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("\"a b\"");
    assertThatThrownBy(() -> handoff.queues().limit("mail", OptionalInt.of(0)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("at least 1");
  }

  @Test
  void sayWhenAChangeWasNotKept() {
    store.holdWrites();
    var pause = handoff.queues().pause("mail");

    store.nextWrite().answer(new WriteResult.Refused("it does not like it"));

    assertThatThrownBy(() -> BoundedWaits.get(pause))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("queue \"mail\" was not changed: it does not like it");
    store.release();
    assertThat(BoundedWaits.get(handoff.queues().list())).isEqualTo(List.of());
  }

  /// A pause is answered when it is durable and every dispatcher applies it.
  @Test
  void arePausedNotBeforeThatIsDurable() {
    store.holdWrites();
    var pause = handoff.queues().pause("mail").toCompletableFuture();
    var write = store.nextWrite();

    assertThat(pause).isNotDone();
    write.go();

    BoundedWaits.get(pause);
    store.release();
  }
}
