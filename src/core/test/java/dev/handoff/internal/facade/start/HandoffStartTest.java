package dev.handoff.internal.facade.start;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.annotation.JsonInclude.Value;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.handoff.Handoff;
import dev.handoff.InvalidRequestException;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.Outcome;
import dev.handoff.StartException;
import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import dev.handoff.internal.engine.Engine;
import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.store.PartitionReplay;
import dev.handoff.internal.store.Store;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@DisplayName("A start")
class HandoffStartTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final ConcurrentLinkedQueue<String> reasons = new ConcurrentLinkedQueue<>();

  @AfterEach
  void cleanUp() {
    home.close();
  }

  /// Store whose first replays fail because it is unreachable.
  private static final class Shy extends StoreAround {

    private final AtomicInteger left;

    Shy(Store inner, int tries) {
      super(inner);
      this.left = new AtomicInteger(tries);
    }

    @Override
    public CompletionStage<PartitionOwnership> takeOver(int partition, String owner) {
      return left.getAndDecrement() > 0
          ? CompletableFuture.failedStage(new StoreException.Unavailable("it is shy", null))
          : super.takeOver(partition, owner);
    }

    @Override
    public CompletionStage<PartitionReplay.Page> replay(
        int partition, PartitionReplay.Position from) {
      return left.getAndDecrement() > 0
          ? CompletableFuture.failedStage(new StoreException.Unavailable("it is shy", null))
          : super.replay(partition, from);
    }
  }

  private EngineBuilder builder(boolean own) {
    var builder = own ? EngineBuilder.withOwnSystem() : EngineBuilder.on(actors.system());
    return builder
        .store(home.store())
        .handler("t", Json.class, (payload, job) -> payload)
        .onDown(reasons::add)
        .set("ledger.retry-after", Duration.ofMillis(20));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void waitsForAStoreThatComesBack(boolean own) {
    try (var handoff = builder(own).around(inner -> new Shy(inner, 10)).start()) {
      assertThat(BoundedWaits.get(handoff.health()).problems()).isEmpty();
      assertThat(BoundedWaits.get(handoff.submitOrThrow(JobRequest.of("t")).result()))
          .isInstanceOf(Outcome.Succeeded.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onAStoreThatStaysAwayFailsAndSaysWhy(boolean own) {
    var patient =
        builder(own)
            .set("start-patience", Duration.ofMillis(200))
            .around(inner -> new Shy(inner, Integer.MAX_VALUE));

    assertThatThrownBy(patient::start)
        .isInstanceOf(StartException.class)
        .hasMessage("the engine did not start: the store is away: it is shy");

    assertThat(reasons).isEmpty();
    builder(own).start().close();
  }

  @Test
  void warnsOfARuleForATypeThatNobodyRuns() {
    var logger = (Logger) LoggerFactory.getLogger(Handoff.class);
    var lines = new ListAppender<ILoggingEvent>();
    lines.list = new CopyOnWriteArrayList<>();
    lines.start();
    logger.addAppender(lines);
    try {
      EngineBuilder.withOwnSystem()
          .store(new StoreSettings.Memory())
          .handler("mail.send", Json.class, (payload, job) -> null)
          .set("history.types.\"mail.send\".succeeded", "drop")
          .set("history.types.\"mail.sent\".succeeded", "drop")
          .start()
          .close();
    } finally {
      logger.detachAppender(lines);
    }

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .filteredOn(line -> line.contains("history.types"))
        .containsExactly(
            "handoff.history.types.\"mail.sent\" is of a type that has no handler here; known:"
                + " mail.send");
  }

  @Test
  void ofASecondEngineOnTheSameStoreIsRefusedNamingTheFirst() {
    var first = builder(true).start();

    assertThatThrownBy(() -> builder(false).start())
        .isInstanceOf(StoreException.Held.class)
        .hasMessageContaining("pid " + ProcessHandle.current().pid());

    first.close();
    builder(false).start().close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onContentThatCannotBeReadFailsNamingThePlace(boolean own) {
    builder(true).start().close();
    var damaged =
        builder(own)
            .around(
                inner ->
                    new StoreAround(inner) {
                      @Override
                      public CompletionStage<PartitionReplay.Page> replay(
                          int partition, PartitionReplay.Position from) {
                        var piece =
                            new PartitionReplay.Facts(1, new byte[] {1, 2, 3}, "ledger row 7");
                        var page = new PartitionReplay.Page(List.of(piece), from, true);
                        return CompletableFuture.completedStage(page);
                      }
                    });

    assertThatThrownBy(damaged::start)
        .isInstanceOf(StartException.class)
        .hasMessageContaining("the store cannot be read")
        .hasMessageContaining("ledger row 7");

    builder(own).start().close();
  }

  @Test
  void onAnotherNumberOfPartitionsIsRefused() {
    builder(true).partitions(2).start().close();

    assertThatThrownBy(() -> builder(true).partitions(3).start())
        .isInstanceOf(StoreException.Unfit.class)
        .hasMessageContaining("2");
  }

  @Test
  void onASystemThatEndsMeanwhileFails() {
    var system = ActorSystem.create(Behaviors.<Void>empty(), "ending");
    var stores = new LinkedBlockingQueue<HeldStore>();
    var starting =
        CompletableFuture.supplyAsync(
            () ->
                EngineBuilder.on(system)
                    .store(home.store())
                    .around(inner -> held(inner, stores))
                    .handler("t", Json.class, (payload, job) -> payload)
                    .start(),
            Thread::startVirtualThread);
    BoundedWaits.take(stores).nextTakeOver();

    system.terminate();

    assertThatThrownBy(() -> BoundedWaits.get(starting))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("has ended");
    builder(true).start().close();
  }

  private static Store held(Store inner, BlockingQueue<HeldStore> stores) {
    var store = new HeldStore(inner);
    store.holdTakeOvers();
    stores.add(store);
    return store;
  }

  @Test
  void onASystemThatHasEndedFails() {
    var system = ActorSystem.create(Behaviors.<Void>empty(), "gone");
    system.terminate();
    BoundedWaits.get(system.getWhenTerminated());

    assertThatThrownBy(
            () ->
                EngineBuilder.on(system)
                    .store(home.store())
                    .handler("t", Json.class, (payload, job) -> payload)
                    .start())
        .isInstanceOf(StartException.class)
        .hasMessageContaining("has ended");

    builder(true).start().close();
  }

  /// The guardian ends before the request, or with the request in its mailbox.
  @Test
  void whoseGuardianEndsWithoutAWordHasEnded() {
    var stop = actors.<Engine.Command>spawn(Behaviors.receiveMessage(any -> Behaviors.stopped()));

    for (int time = 0; time < 2; time++) {
      var answer = new CompletableFuture<Engine.Startup>();
      var end = EngineEnd.on(actors.system());
      end.reason().thenAccept(reason -> answer.complete(new Engine.NotStarted(reason)));
      actors.spawn(EngineObserver.create(stop, answer, end));
      assertThat(BoundedWaits.get(answer)).isEqualTo(new Engine.NotStarted("it has ended"));
    }
  }

  @Test
  void takesTheHostsOwnClockAndItsOwnWayToWriteJson() {
    var noon = Instant.parse("2030-01-01T12:00:00Z");
    var spare =
        JsonMapper.builder().defaultPropertyInclusion(Value.construct(NON_NULL, NON_NULL)).build();
    try (var handoff = builder(true).clock(InstantSource.fixed(noon)).objectMapper(spare).start()) {
      var job = handoff.submitOrThrow(JobRequest.of("t", new Pair(1, null)));

      assertThat(BoundedWaits.get(job.result()))
          .isEqualTo(new Outcome.Succeeded(Json.of("{\"a\":1}")));
      assertThat(BoundedWaits.get(job.status()).createdAt()).isEqualTo(noon);
      assertThat(BoundedWaits.get(job.status()).toJson())
          .contains("\"status\":\"succeeded\"", "\"createdAt\":\"2030-01-01T12:00:00Z\"");
    }
  }

  record Pair(int a, Integer b) {}

  @Test
  void refusesATypeThatIsNoNameAndOneThatIsThere() {
    var builder = builder(true);

    assertThatThrownBy(() -> builder.handler("a b", Json.class, (payload, job) -> payload))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> builder.handler("t", Json.class, (payload, job) -> payload))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("\"t\"");
  }
}
