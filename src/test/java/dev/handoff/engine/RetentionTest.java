package dev.handoff.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.job.HistoryRules;
import dev.handoff.store.ForgetSlice;
import dev.handoff.store.Forgotten;
import dev.handoff.store.HistoryPlace;
import dev.handoff.store.Store;
import dev.handoff.store.StoreSettings;
import dev.handoff.store.Stores;
import dev.handoff.testing.Actors;
import dev.handoff.testing.Soon;
import dev.handoff.testing.StoreAround;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Retention")
class RetentionTest {

  @RegisterExtension static final Actors actors = Actors.inManualTime();

  private static final Duration RETENTION = Duration.ofDays(30);
  private static final Duration KEY_RETENTION = Duration.ofDays(7);

  /// What was asked to be forgotten, and where the answer goes.
  private record Asked(Instant before, int limit, CompletableFuture<Integer> answer) {}

  private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();

  /// Where stretches that are looked through begin, and the answers to come.
  private final BlockingQueue<ForgetSlice> looked = new LinkedBlockingQueue<>();

  private final BlockingQueue<Forgotten> looks = new LinkedBlockingQueue<>();
  private final AtomicBoolean moreKeys = new AtomicBoolean();
  private final Store store =
      new StoreAround(
          Stores.open(
              new StoreSettings(
                  new StoreSettings.Memory(), 1, StoreSettings.Access.OWN, "the test"))) {
        @Override
        public CompletionStage<Integer> forget(Instant before, int limit) {
          var question = new Asked(before, limit, new CompletableFuture<>());
          asked.add(question);
          return question.answer();
        }

        @Override
        public CompletionStage<Forgotten> forget(ForgetSlice slice) {
          looked.add(slice);
          var answer = looks.poll();
          return CompletableFuture.completedStage(
              answer == null ? new Forgotten(slice.after(), false) : answer);
        }

        @Override
        public CompletionStage<Integer> forgetKeys(Instant before, int limit) {
          assertThat(before).isEqualTo(JobSamples.NOW.minus(KEY_RETENTION));
          return CompletableFuture.completedStage(moreKeys.getAndSet(false) ? limit : 0);
        }
      };
  private ActorRef<Retention.Command> retention = start(Map.of());

  private ActorRef<Retention.Command> start(Map<String, Duration> byType) {
    return actors.spawn(
        Retention.create(
            store,
            new HistorySettings(RETENTION, byType, KEY_RETENTION, HistoryRules.KEEP_ALL),
            InstantSource.fixed(JobSamples.NOW)));
  }

  @AfterEach
  void stop() {
    actors.stop(retention);
    store.close();
  }

  /// The next question, and how long it took at least.
  private Duration waited = Duration.ZERO;

  private Asked next(Duration step) {
    waited = Duration.ZERO;
    Soon.until(
        "it asks",
        () -> {
          actors.pass(step);
          waited = waited.plus(step);
          return !asked.isEmpty();
        });
    return Soon.take(asked);
  }

  @Test
  void forgetsSliceAfterSliceWhatEndedTooLongAgo() {
    var first = next(Retention.BETWEEN_SLICES);
    assertThat(first.before()).isEqualTo(JobSamples.NOW.minus(RETENTION));
    assertThat(first.limit()).isEqualTo(Retention.SLICE);

    first.answer().complete(Retention.SLICE);
    next(Retention.BETWEEN_SLICES);

    assertThat(waited).isLessThan(Retention.BETWEEN_LOOKS);
  }

  /// What a type of its own has, and everything else.
  @Test
  void takesASliceOfEachRetentionInTurnAndGoesOnWhereItWas() {
    actors.stop(retention);
    retention = start(Map.of("mail", Duration.ofDays(1)));
    var here = new HistoryPlace(JobSamples.NOW.minus(Duration.ofDays(2)), "an id");
    looks.add(new Forgotten(here, true));
    looks.add(new Forgotten(here, false));

    next(Retention.BETWEEN_SLICES).answer().complete(0);
    var first = Soon.take(looked);
    next(Retention.BETWEEN_SLICES).answer().complete(0);

    assertThat(waited).isLessThan(Retention.BETWEEN_LOOKS);
    assertThat(first.after()).isEqualTo(HistoryPlace.START);
    assertThat(first.before()).isEqualTo(JobSamples.NOW.minus(Duration.ofDays(1)));
    assertThat(first.types()).containsExactly("mail");
    assertThat(Soon.take(looked).after()).isEqualTo(here);
    next(Retention.BETWEEN_LOOKS.dividedBy(10));
    assertThat(waited).isGreaterThanOrEqualTo(Retention.BETWEEN_LOOKS);
  }

  @Test
  void forgetsSliceAfterSliceOfKeysWithoutJobs() {
    moreKeys.set(true);
    next(Retention.BETWEEN_SLICES).answer().complete(3);

    next(Retention.BETWEEN_SLICES);

    assertThat(waited).isLessThan(Retention.BETWEEN_LOOKS);
    assertThat(moreKeys).isFalse();
  }

  @Test
  void restsWhenThereIsNothingMore() {
    next(Retention.BETWEEN_SLICES).answer().complete(3);

    next(Retention.BETWEEN_LOOKS.dividedBy(10));

    assertThat(waited).isGreaterThanOrEqualTo(Retention.BETWEEN_LOOKS);
  }

  @Test
  void comesBackLaterWhenTheStoreIsAway() {
    var failing = next(Retention.BETWEEN_SLICES);

    failing.answer().completeExceptionally(new IllegalStateException("gone"));
    next(Retention.BETWEEN_LOOKS.dividedBy(10));

    assertThat(waited).isGreaterThanOrEqualTo(Retention.BETWEEN_LOOKS);
  }
}
