package dev.handoff.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.engine.Facts;
import dev.handoff.job.JobFact;
import dev.handoff.job.JobOptions;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobSpec;
import dev.handoff.job.JobState;
import dev.handoff.job.Json;
import dev.handoff.job.SubmitReply;
import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.StoredFacts;
import dev.handoff.store.Batch;
import dev.handoff.store.Store;
import dev.handoff.store.StoreSettings;
import dev.handoff.store.Stores;
import dev.handoff.store.WriteResult;
import dev.handoff.testing.Actors;
import dev.handoff.testing.History;
import dev.handoff.testing.Invariants;
import dev.handoff.testing.Soon;
import dev.handoff.testing.StoreAround;
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

/// Takes the order of write and word away and sees what it protects from, with an engine that dies
/// in between. Where one of these finds nothing, the checks of the history prove nothing.
@DisplayName("An engine that dies between the word and the write")
class WriteAheadProtectionTest {

  @RegisterExtension static final Actors actors = Actors.inRealTime();

  private final History history = new History();
  private House killed;
  private final Store durable =
      Stores.open(
          new StoreSettings(new StoreSettings.Memory(), 1, StoreSettings.Access.OWN, "a test"));

  @AfterEach
  void close() {
    durable.close();
  }

  @Test
  void losesNoJobThatItHasAccepted() {
    var store = new Dying(JobFact.Submitted.class, false);
    var submission = live(store, house -> house.submitting(spec()));
    Soon.get(store.death);

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
      assertThat(Soon.get(after.ending(job))).isInstanceOf(JobReply.NotFound.class);
    }
    assertThat(violations(null)).anyMatch(found -> found.startsWith("I1 an accepted job"));
  }

  @Test
  void startsNoAttemptTwice() {
    var store = new Dying(JobFact.Claimed.class, false);
    var job = live(store, house -> house.submit(soon()));
    history.accepted(job, soon());
    Soon.get(store.death);

    kill();

    try (var after = house(durable)) {
      assertThat(violations(after.end(job))).isEmpty();
    }
    assertThat(history.all(History.Entered.class)).containsExactly(new History.Entered(job, 1));
  }

  @Test
  void wouldStartAnAttemptTwiceIfItWereHandedOutBeforeItsClaimIsDurable() {
    var store = new Dying(JobFact.Claimed.class, true);
    var job = live(store, house -> house.submit(soon()));
    Soon.until("it has started", () -> !history.all(History.Entered.class).isEmpty());

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
    var accepted = history.all(History.Accepted.class).stream().map(History.Accepted::job).toList();
    try (var after = house(durable)) {
      accepted.forEach(job -> assertThat(after.end(job).attempt()).isEqualTo(1));
    }
    assertThat(history.all(History.Entered.class))
        .extracting(History.Entered::job)
        .containsExactlyInAnyOrderElementsOf(accepted);
  }

  @Test
  void wouldStartAJobThatIsLostIfItsClaimAtOnceWereNotAwaited() {
    var store = new Dying(WriteAheadProtectionTest::isClaimedAtOnce, true);

    var last = ((SubmitReply.Accepted) Soon.get(submitUntil(store))).job();
    Soon.until(
        "it has started",
        () -> history.all(History.Entered.class).contains(new History.Entered(last, 1)));
    kill();

    try (var after = house(durable)) {
      assertThat(Soon.get(after.ending(last))).isInstanceOf(JobReply.NotFound.class);
    }
  }

  /// One job after the other, until one is claimed with its first fact.
  private CompletionStage<SubmitReply> submitUntil(Dying store) {
    killed = house(store);
    while (true) {
      var submission = killed.submitting(spec());
      var death = store.death.thenApply(dead -> (SubmitReply) null);
      submission.applyToEither(death, first -> first).toCompletableFuture().join();
      if (store.death.isDone()) {
        return submission;
      }
      var job = ((SubmitReply.Accepted) Soon.get(submission)).job();
      history.accepted(job, spec());
      killed.end(job);
    }
  }

  private static boolean isClaimedAtOnce(List<StoredFacts.Stored> facts) {
    return facts.stream().anyMatch(fact -> fact.event() instanceof JobFact.Submitted)
        && facts.stream().anyMatch(fact -> fact.event() instanceof JobFact.Claimed);
  }

  private <T> T live(Store store, Function<House, T> work) {
    killed = house(store);
    return work.apply(killed);
  }

  private void kill() {
    killed.kill();
  }

  private House house(Store store) {
    return House.plan()
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

  /// Not due when it is accepted: its claim is a commit of its own.
  private static JobSpec soon() {
    var due = Instant.now().plusMillis(50);
    return new JobSpec("noted", Json.NULL, "default", 0, null, due, JobOptions.DEFAULT, null);
  }

  private List<String> violations(JobState end) {
    return new Invariants(history, end == null ? List.of() : List.of(end)).violations(Map.of());
  }

  /// The store of two engines, one after the other.
  private static final class StayingOpen extends StoreAround {
    StayingOpen(Store inner) {
      super(inner);
    }

    @Override
    public void close() {}
  }

  /// From the first fact of a kind on nothing is written any more: the process is about to die.
  private final class Dying extends StoreAround {
    private final FactCodec codec = Facts.codec();
    private final Predicate<List<StoredFacts.Stored>> isLast;
    private final boolean lies;
    private final CompletableFuture<Void> death = new CompletableFuture<>();

    Dying(Class<? extends JobFact> last, boolean lies) {
      this(facts -> facts.stream().anyMatch(stored -> last.isInstance(stored.event())), lies);
    }

    /// @param lies whether it says that it has written what it has not
    Dying(Predicate<List<StoredFacts.Stored>> isLast, boolean lies) {
      super(durable);
      this.isLast = isLast;
      this.lies = lies;
    }

    @Override
    public CompletionStage<WriteResult> write(Batch batch) {
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
