package dev.handoff.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.StoreSettings;
import dev.handoff.internal.job.HistoryRules;
import dev.handoff.internal.store.ForgetProgress;
import dev.handoff.internal.store.ForgetSlice;
import dev.handoff.internal.store.HistoryPlace;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.TestActors;
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
class HistoryRetentionTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private static final Duration RETENTION = Duration.ofDays(30);
  private static final Duration KEY_RETENTION = Duration.ofDays(7);

  /// Call of `forget`, with the future for its answer.
  private record Asked(Instant before, int limit, CompletableFuture<Integer> answer) {}

  private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();

  /// Starts of the slices read, and the prepared answers.
  private final BlockingQueue<ForgetSlice> looked = new LinkedBlockingQueue<>();

  private final BlockingQueue<ForgetProgress> looks = new LinkedBlockingQueue<>();
  private final AtomicBoolean moreKeys = new AtomicBoolean();
  private final Store store =
      new StoreAround(
          StoreOpener.open(
              new StoreSettings(
                  new StoreSettings.Memory(), 1, StoreSettings.Access.OWN, "the test"))) {
        @Override
        public CompletionStage<Integer> forget(Instant before, int limit) {
          var question = new Asked(before, limit, new CompletableFuture<>());
          asked.add(question);
          return question.answer();
        }

        @Override
        public CompletionStage<ForgetProgress> forget(ForgetSlice slice) {
          looked.add(slice);
          var answer = looks.poll();
          return CompletableFuture.completedStage(
              answer == null ? new ForgetProgress(slice.after(), false) : answer);
        }

        @Override
        public CompletionStage<Integer> forgetKeys(Instant before, int limit) {
          assertThat(before).isEqualTo(JobSamples.NOW.minus(KEY_RETENTION));
          return CompletableFuture.completedStage(moreKeys.getAndSet(false) ? limit : 0);
        }
      };
  private ActorRef<HistoryRetention.Command> retention = start(Map.of());

  private ActorRef<HistoryRetention.Command> start(Map<String, Duration> byType) {
    return actors.spawn(
        HistoryRetention.create(
            store,
            new HistorySettings(RETENTION, byType, KEY_RETENTION, HistoryRules.KEEP_ALL),
            InstantSource.fixed(JobSamples.NOW)));
  }

  @AfterEach
  void stop() {
    actors.stop(retention);
    store.close();
  }

  /// Minimum time until the last awaited call.
  private Duration waited = Duration.ZERO;

  private Asked next(Duration step) {
    waited = Duration.ZERO;
    BoundedWaits.until(
        "it asks",
        () -> {
          actors.pass(step);
          waited = waited.plus(step);
          return !asked.isEmpty();
        });
    return BoundedWaits.take(asked);
  }

  @Test
  void forgetsSliceAfterSliceWhatEndedTooLongAgo() {
    var first = next(HistoryRetention.BETWEEN_SLICES);
    assertThat(first.before()).isEqualTo(JobSamples.NOW.minus(RETENTION));
    assertThat(first.limit()).isEqualTo(HistoryRetention.SLICE);

    first.answer().complete(HistoryRetention.SLICE);
    next(HistoryRetention.BETWEEN_SLICES);

    assertThat(waited).isLessThan(HistoryRetention.BETWEEN_LOOKS);
  }

  /// The types with their own retention, and the rest.
  @Test
  void takesASliceOfEachRetentionInTurnAndGoesOnWhereItWas() {
    actors.stop(retention);
    retention = start(Map.of("mail", Duration.ofDays(1)));
    var here = new HistoryPlace(JobSamples.NOW.minus(Duration.ofDays(2)), "an id");
    looks.add(new ForgetProgress(here, true));
    looks.add(new ForgetProgress(here, false));

    next(HistoryRetention.BETWEEN_SLICES).answer().complete(0);
    var first = BoundedWaits.take(looked);
    next(HistoryRetention.BETWEEN_SLICES).answer().complete(0);

    assertThat(waited).isLessThan(HistoryRetention.BETWEEN_LOOKS);
    assertThat(first.after()).isEqualTo(HistoryPlace.START);
    assertThat(first.before()).isEqualTo(JobSamples.NOW.minus(Duration.ofDays(1)));
    assertThat(first.types()).containsExactly("mail");
    assertThat(BoundedWaits.take(looked).after()).isEqualTo(here);
    next(HistoryRetention.BETWEEN_LOOKS.dividedBy(10));
    assertThat(waited).isGreaterThanOrEqualTo(HistoryRetention.BETWEEN_LOOKS);
  }

  @Test
  void forgetsSliceAfterSliceOfKeysWithoutJobs() {
    moreKeys.set(true);
    next(HistoryRetention.BETWEEN_SLICES).answer().complete(3);

    next(HistoryRetention.BETWEEN_SLICES);

    assertThat(waited).isLessThan(HistoryRetention.BETWEEN_LOOKS);
    assertThat(moreKeys).isFalse();
  }

  @Test
  void restsWhenThereIsNothingMore() {
    next(HistoryRetention.BETWEEN_SLICES).answer().complete(3);

    next(HistoryRetention.BETWEEN_LOOKS.dividedBy(10));

    assertThat(waited).isGreaterThanOrEqualTo(HistoryRetention.BETWEEN_LOOKS);
  }

  @Test
  void comesBackLaterWhenTheStoreIsAway() {
    var failing = next(HistoryRetention.BETWEEN_SLICES);

    failing.answer().completeExceptionally(new IllegalStateException("gone"));
    next(HistoryRetention.BETWEEN_LOOKS.dividedBy(10));

    assertThat(waited).isGreaterThanOrEqualTo(HistoryRetention.BETWEEN_LOOKS);
  }
}
