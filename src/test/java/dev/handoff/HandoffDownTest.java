package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.job.Json;
import dev.handoff.testing.Actors;
import dev.handoff.testing.Held;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.Home;
import dev.handoff.testing.Soon;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.pekko.stream.javadsl.Sink;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("An engine whose store somebody else has taken over")
class HandoffDownTest {

  @RegisterExtension static final Actors actors = Actors.inRealTime();

  private final Home home = Home.of(Home.Kind.MEMORY);
  private final Held held = new Held();
  private final BlockingQueue<String> reasons = new LinkedBlockingQueue<>();
  private HeldStore store;
  private Handoff handoff;

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  private void start() {
    handoff =
        Handoff.on(actors.system())
            .store(home.store())
            .around(inner -> store = new HeldStore(inner))
            .partitions(2)
            .handler("held", Json.class, held)
            .onDown(reasons::add)
            .start();
  }

  private void takeOver() {
    Soon.get(store.takeOver(0, "somebody else"));
    Soon.get(store.takeOver(1, "somebody else"));
  }

  @Test
  void saysSoOnce() {
    start();
    takeOver();

    handoff.submit(JobRequest.of("held"));
    handoff.submit(JobRequest.of("held"));

    assertThat(Soon.take(reasons)).contains("was taken over by").contains("somebody else");
    assertThat(Soon.get(handoff.health()).ready()).isFalse();
    assertThat(Soon.get(handoff.health()).problems())
        .singleElement()
        .asString()
        .startsWith("the engine is down: partition");
    handoff.close();
    assertThat(reasons).isEmpty();
  }

  @Test
  void answersWhoeverWaitsAndWhoeverComes() {
    start();
    var job = handoff.submitOrThrow(JobRequest.of("held"));
    var attempt = held.next();
    var result = job.result();
    var events = handoff.events().runWith(Sink.seq(), actors.system());
    takeOver();

    var unlucky = handoff.submit(JobRequest.of("held"));
    var other = handoff.submit(JobRequest.of("held"));

    assertThat(Soon.get(unlucky)).isInstanceOf(Submission.Unavailable.class);
    assertThat(Soon.get(other)).isInstanceOf(Submission.Unavailable.class);
    assertThat(Soon.get(handoff.submit(JobRequest.of("held"))))
        .isInstanceOfSatisfying(
            Submission.Unavailable.class,
            answer -> assertThat(answer.reason()).startsWith("the engine is down"));
    assertThatThrownBy(() -> Soon.get(result)).isInstanceOf(UnavailableException.class);
    assertThatThrownBy(() -> Soon.get(job.status())).isInstanceOf(UnavailableException.class);
    boolean told = Soon.get(events.handle((seen, failure) -> endedOrDown(failure)));
    assertThat(told).isTrue();
    attempt.succeed(null);
  }

  /// A stream that was just being started may still find the engine down instead of ending with it.
  private static boolean endedOrDown(@Nullable Throwable failure) {
    var cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause == null || cause instanceof UnavailableException;
  }

  @Test
  void doesNotRunWhatItCouldNotClaim() {
    start();
    store.holdWrites();
    var submission = handoff.submit(JobRequest.of("held"));
    store.nextWrite().go();
    assertThat(Soon.get(submission)).isInstanceOf(Submission.Accepted.class);
    var claim = store.nextWrite();

    takeOver();
    claim.go();

    Soon.take(reasons);
    assertThat(held.waiting()).isZero();
  }

  @Test
  void whoseListenerThrowsIsDownAllTheSame() {
    handoff =
        Handoff.on(actors.system())
            .store(home.store())
            .around(inner -> store = new HeldStore(inner))
            .partitions(1)
            .handler("held", Json.class, held)
            .onDown(
                reason -> {
                  reasons.add(reason);
                  throw new IllegalStateException("a listener that fails");
                })
            .start();
    Soon.get(store.takeOver(0, "somebody else"));

    assertThat(Soon.get(handoff.submit(JobRequest.of("held"))))
        .isInstanceOf(Submission.Unavailable.class);
    assertThat(Soon.take(reasons)).isNotEmpty();
    assertThat(Soon.get(handoff.health()).problems()).hasSize(1);
    assertThat(List.copyOf(reasons)).isEmpty();
  }
}
