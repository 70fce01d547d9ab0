package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Json;
import dev.handoff.StoreSettings;
import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.SubmitReply;
import dev.handoff.internal.job.WatchReply;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.StoredFacts;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HistoryInvariants;
import dev.handoff.testing.ObservedHistory;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.TestActors;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Reverses write and acknowledgement, and lets the engine die in between. If these tests saw no
/// violation, the history checks would prove nothing.
@DisplayName("An engine that dies between the word and the write")
class WriteAheadProtectionTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final ObservedHistory history = new ObservedHistory();
  private InMemoryEngine killed;
  private final Store durable =
      StoreOpener.open(
          new StoreSettings(new StoreSettings.Memory(), 1, StoreSettings.Access.OWN, "a test"));

  @AfterEach
  void close() {
    durable.close();
  }

  @Test
  void losesNoJobThatItHasAccepted() {
    var store = new Dying(JobFact.Submitted.class, false);
    var submission = live(store, house -> house.submitting(spec()));
    BoundedWaits.get(store.death);

    kill();

    assertThat(submission.toCompletableFuture()).isNotDone();
    assertThat(violations(null)).isEmpty();
  }

  @Test
  void wouldLoseAJobIfItWereAcceptedBeforeThatIsDurable() {
    var store = new Dying(JobFact.Submitted.class, true);
    var job = live(store, house -> house.submit(spec()));
    history.accepted(job, spec());

    kill();

    try (var after = house(durable)) {
      assertThat(BoundedWaits.get(after.ending(job))).isInstanceOf(WatchReply.NotFound.class);
    }
    assertThat(violations(null)).anyMatch(found -> found.startsWith("I1 an accepted job"));
  }

  @Test
  void startsNoAttemptTwice() {
    var store = new Dying(JobFact.Claimed.class, false);
    var job = live(store, house -> house.submit(soon()));
    history.accepted(job, soon());
    BoundedWaits.get(store.death);

    kill();

    try (var after = house(durable)) {
      assertThat(violations(after.end(job))).isEmpty();
    }
    assertThat(history.all(ObservedHistory.Entered.class))
        .containsExactly(new ObservedHistory.Entered(job, 1));
  }

  @Test
  void wouldStartAnAttemptTwiceIfItWereHandedOutBeforeItsClaimIsDurable() {
    var store = new Dying(JobFact.Claimed.class, true);
    var job = live(store, house -> house.submit(soon()));
    BoundedWaits.until(
        "it has started", () -> !history.all(ObservedHistory.Entered.class).isEmpty());

    kill();

    try (var after = house(durable)) {
      assertThat(violations(after.end(job)))
          .anyMatch(found -> found.startsWith("I8 an attempt was started twice"));
    }
  }

  @Test
  void neitherAcceptsNorStartsWhatItClaimsAtOnceBeforeThatIsDurable() {
    var store = new Dying(WriteAheadProtectionTest::isClaimedAtOnce, false);

    var last = submitUntil(store);
    kill();

    assertThat(last.toCompletableFuture()).isNotDone();
    var accepted =
        history.all(ObservedHistory.Accepted.class).stream()
            .map(ObservedHistory.Accepted::job)
            .toList();
    try (var after = house(durable)) {
      accepted.forEach(job -> assertThat(after.end(job).attempt()).isEqualTo(1));
    }
    assertThat(history.all(ObservedHistory.Entered.class))
        .extracting(ObservedHistory.Entered::job)
        .containsExactlyInAnyOrderElementsOf(accepted);
  }

  @Test
  void wouldStartAJobThatIsLostIfItsClaimAtOnceWereNotAwaited() {
    var store = new Dying(WriteAheadProtectionTest::isClaimedAtOnce, true);

    var last = ((SubmitReply.Accepted) BoundedWaits.get(submitUntil(store))).job();
    BoundedWaits.until(
        "it has started",
        () ->
            history
                .all(ObservedHistory.Entered.class)
                .contains(new ObservedHistory.Entered(last, 1)));
    kill();

    try (var after = house(durable)) {
      assertThat(BoundedWaits.get(after.ending(last))).isInstanceOf(WatchReply.NotFound.class);
    }
  }

  /// Submits jobs in sequence until a job is claimed in the batch of its submission.
  private CompletionStage<SubmitReply> submitUntil(Dying store) {
    killed = house(store);
    while (true) {
      var submission = killed.submitting(spec());
      var death = store.death.thenApply(dead -> (SubmitReply) null);
      submission.applyToEither(death, first -> first).toCompletableFuture().join();
      if (store.death.isDone()) {
        return submission;
      }
      var job = ((SubmitReply.Accepted) BoundedWaits.get(submission)).job();
      history.accepted(job, spec());
      killed.end(job);
    }
  }

  private static boolean isClaimedAtOnce(List<StoredFacts.Stored> facts) {
    return facts.stream().anyMatch(fact -> fact.event() instanceof JobFact.Submitted)
        && facts.stream().anyMatch(fact -> fact.event() instanceof JobFact.Claimed);
  }

  private <T> T live(Store store, Function<InMemoryEngine, T> work) {
    killed = house(store);
    return work.apply(killed);
  }

  private void kill() {
    killed.kill();
  }

  private InMemoryEngine house(Store store) {
    return InMemoryEngine.plan()
        .handler(
            "noted",
            attempt -> {
              history.entered(attempt.job(), attempt.number());
              return Json.NULL;
            })
        .partitions(1)
        .build(actors, new StayingOpen(store));
  }

  private static JobSpec spec() {
    return JobSpec.of("noted", Json.NULL);
  }

  /// Job with a short delay: its claim is a separate commit.
  private static JobSpec soon() {
    var due = Instant.now().plusMillis(50);
    return new JobSpec("noted", Json.NULL, "default", 0, null, due, JobOptions.DEFAULT, null);
  }

  private List<String> violations(JobState end) {
    return new HistoryInvariants(history, end == null ? List.of() : List.of(end))
        .violations(Map.of());
  }

  /// Store for two engines in sequence: closing it has no effect.
  private static final class StayingOpen extends StoreAround {
    StayingOpen(Store inner) {
      super(inner);
    }

    @Override
    public void close() {}
  }

  /// Discards all writes from the first batch with a given fact on: the process is about to die.
  private final class Dying extends StoreAround {
    private final FactCodec codec = FactFolding.codec();
    private final Predicate<List<StoredFacts.Stored>> isLast;
    private final boolean lies;
    private final CompletableFuture<Void> death = new CompletableFuture<>();

    Dying(Class<? extends JobFact> last, boolean lies) {
      this(facts -> facts.stream().anyMatch(stored -> last.isInstance(stored.event())), lies);
    }

    /// @param lies whether discarded writes are acknowledged
    Dying(Predicate<List<StoredFacts.Stored>> isLast, boolean lies) {
      super(durable);
      this.isLast = isLast;
      this.lies = lies;
    }

    @Override
    public CompletionStage<WriteResult> write(StoreBatch batch) {
      if (isLast.test(StoredFacts.in(batch.facts(), codec))) {
        death.complete(null);
      }
      if (!death.isDone()) {
        return super.write(batch);
      }
      return lies
          ? CompletableFuture.completedStage(new WriteResult.Written(batch.seq()))
          : new CompletableFuture<>();
    }
  }
}
