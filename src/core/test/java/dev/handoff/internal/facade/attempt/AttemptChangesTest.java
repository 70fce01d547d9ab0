package dev.handoff.internal.facade.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Handoff;
import dev.handoff.JobContext;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import dev.handoff.cancel.CancelledException;
import dev.handoff.internal.facade.start.EngineBuilder;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.Changeset;
import dev.handoff.internal.store.BlobUse;
import dev.handoff.internal.store.StoredBlob;
import dev.handoff.plan.Change;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.Content;
import dev.handoff.plan.PlanChanges;
import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import dev.handoff.testing.TestPlan;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("An attempt of a step")
class AttemptChangesTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final HeldHandler held = new HeldHandler();
  private KeepingStore store;
  private Handoff handoff;

  /// Store that holds back or refuses blobs, as the test demands.
  private static final class KeepingStore extends StoreAround {
    private final BlockingQueue<CompletableFuture<Void>> waiting = new LinkedBlockingQueue<>();
    private volatile boolean holds;
    private volatile boolean away;
    private volatile int mostRead;
    private volatile long mostWritten;

    KeepingStore(dev.handoff.internal.store.Store inner) {
      super(inner);
    }

    @Override
    public CompletionStage<Map<String, StoredBlob>> blobs(Collection<String> sha256s) {
      mostRead = Math.max(mostRead, sha256s.size());
      return super.blobs(sha256s);
    }

    @Override
    public CompletionStage<List<Set<String>>> keepBlobs(List<BlobUse> asked) {
      mostWritten = Math.max(mostWritten, asked.stream().mapToLong(BlobUse::bytes).sum());
      if (away) {
        return CompletableFuture.failedStage(new StoreException.Unavailable("taken away", null));
      }
      if (!holds) {
        return super.keepBlobs(asked);
      }
      var go = new CompletableFuture<Void>();
      waiting.add(go);
      return go.thenCompose(now -> super.keepBlobs(asked));
    }
  }

  @BeforeEach
  void start() {
    handoff =
        builder(new StoreSettings.Memory())
            .handler("held", Json.class, held)
            .handler("null", Json.class, (payload, job) -> null)
            .start();
  }

  private EngineBuilder builder(StoreSettings.Kind kind) {
    return EngineBuilder.on(actors.system())
        .store(kind)
        .around(inner -> store = new KeepingStore(inner))
        .workers(4)
        .cancelling(Duration.ofMillis(50), Duration.ofSeconds(10))
        .shutdownGrace(Duration.ZERO);
  }

  @AfterEach
  void stop() {
    handoff.close();
  }

  private TestPlan plan() {
    return plan(2);
  }

  private TestPlan plan(int attempts) {
    var job = JobRequest.of("held").maxAttempts(attempts);
    return TestPlan.submit(handoff, TestPlan.step(handoff, "one", job));
  }

  private static ChangeAnswer record(HeldHandler.Attempt attempt, Change change) {
    return BoundedWaits.get(attempt.job().changes().record(change));
  }

  @Test
  void commitsItsChangesWithItsSuccess() {
    var plan = plan();
    var attempt = held.next();

    var first = record(attempt, Change.create("a.txt", "1"));
    var second =
        BoundedWaits.get(
            attempt
                .job()
                .changes()
                .record(List.of(Change.modify("a.txt", "1", "2"), Change.delete("b.txt", "b"))));
    assertThat(plan.chain()).isEmpty();
    attempt.succeed(null);

    assertThat(plan.ended().status()).isEqualTo(PlanStatus.SUCCEEDED);
    var set = plan.jobId("one") + ":1";
    assertThat(first).isEqualTo(new ChangeAnswer.Recorded(set, 1));
    assertThat(second).isEqualTo(new ChangeAnswer.Recorded(set, 3));
    assertThat(plan.changes())
        .containsExactly("a.txt: none -> 1", "a.txt: 1 -> 2", "b.txt: b -> none");
    var link = plan.chain().getFirst();
    assertThat(link.id()).isEqualTo(set);
    assertThat(link.changes()).isEqualTo(3);
    assertThat(link.by().step()).isEqualTo("one");
    assertThat(link.follows(ChainHash.NONE)).isTrue();
    assertThat(plan.body(link).entries().getFirst().follows(ChainHash.first(set))).isTrue();
  }

  @Test
  void ofAChildPlanCommitsToThePlanAtTheTop() {
    var inner = TestPlan.step(handoff, "inner", JobRequest.of("held"));
    var plan = TestPlan.submit(handoff, TestPlan.child("child", List.of(), inner));
    var attempt = held.next();

    record(attempt, Change.create("a.txt", "1"));
    attempt.succeed(null);
    plan.ended();

    assertThat(plan.changes()).containsExactly("a.txt: none -> 1");
    assertThat(plan.chain().getFirst().by().step()).isEqualTo("child/inner");
    var child = plan.state().spec().steps().getFirst().plan();
    assertThat(plan.of(child).chain()).isEmpty();
  }

  @Test
  void thatFailsLeavesNothingAndTheNextOneItsOwn() {
    var plan = plan();
    var first = held.next();
    record(first, Change.create("a.txt", "of the first"));
    first.job().decide("of the first");
    first.fail("no");

    var second = held.next();
    record(second, Change.create("a.txt", "of the second"));
    second.job().decide("of the second");
    second.succeed(null);
    plan.ended();

    assertThat(plan.changes()).containsExactly("a.txt: none -> of the second");
    assertThat(plan.decisions()).containsExactly("of the second");
    assertThat(visibleIfAndOnlyIfSucceeded(plan)).isTrue();
  }

  @Test
  void thatFailsForGoodLeavesNothing() {
    var plan = plan(1);
    var attempt = held.next();
    record(attempt, Change.create("a.txt", "1"));

    attempt.fail("no");

    assertThat(plan.ended().status()).isEqualTo(PlanStatus.FAILED);
    assertThat(plan.chain()).isEmpty();
  }

  @Test
  void thatIsOutOfTimeLeavesNothing() {
    var job = JobRequest.of("held").timeout(Duration.ofMillis(100)).maxAttempts(1);
    var plan = TestPlan.submit(handoff, TestPlan.step(handoff, "one", job));
    var attempt = held.next();
    record(attempt, Change.create("a.txt", "1"));

    assertThat(plan.ended().status()).isEqualTo(PlanStatus.FAILED);
    assertThat(plan.chain()).isEmpty();
    assertThat(record(attempt, Change.create("b.txt", "late")))
        .isInstanceOf(ChangeAnswer.Refused.class);
  }

  /// The protection: a report after a cancel is no success. Without it, a changeset would be
  /// committed here.
  @Test
  void thatSucceedsAfterACancelLeavesNothing() {
    handoff.close();
    var started = new LinkedBlockingQueue<JobContext>();
    var recorded = new LinkedBlockingQueue<ChangeAnswer>();
    handoff =
        builder(new StoreSettings.Memory())
            .handler(
                "stubborn",
                Json.class,
                (payload, job) -> {
                  job.changes().record(Change.create("a.txt", "1")).toCompletableFuture().join();
                  started.add(job);
                  while (!job.cancellation().await(Duration.ofSeconds(30))) {
                    job.heartbeat();
                  }
                  recorded.add(
                      BoundedWaits.get(job.changes().record(Change.create("b.txt", "late"))));
                  return "done";
                })
            .start();
    var plan = TestPlan.submit(handoff, TestPlan.step(handoff, "one", JobRequest.of("stubborn")));
    var job = BoundedWaits.take(started);

    BoundedWaits.get(handoff.cancel(job.id(), "not needed").ended());

    assertThat(plan.ended().status()).isEqualTo(PlanStatus.FAILED);
    assertThat(BoundedWaits.take(recorded))
        .isInstanceOfSatisfying(
            ChangeAnswer.Refused.class,
            refused -> assertThat(refused.reason()).contains("is over for the engine"));
    assertThatThrownBy(() -> job.decide("late")).isInstanceOf(CancelledException.class);
    assertThat(plan.chain()).isEmpty();
    assertThat(visibleIfAndOnlyIfSucceeded(plan)).isTrue();
  }

  @Test
  void thatAShutdownEndsLeavesNothingAndTheNextOneItsOwn() throws Exception {
    handoff.close();
    try (var home = StoreDirectory.of(StoreDirectory.Kind.FILE)) {
      handoff = builder(home.store()).handler("held", Json.class, held).start();
      var plan = plan();
      record(held.next(), Change.create("a.txt", "of the first"));
      handoff.close();

      handoff = builder(home.store()).handler("held", Json.class, held).start();
      plan = new TestPlan(handoff, plan.id());
      var second = held.next();
      record(second, Change.create("a.txt", "of the second"));
      second.succeed(null);
      plan.ended();

      assertThat(plan.changes()).containsExactly("a.txt: none -> of the second");
      assertThat(visibleIfAndOnlyIfSucceeded(plan)).isTrue();
      handoff.close();
    }
  }

  @Test
  void isWaitedForUntilWhatItHasRecordedIsStored() {
    var plan = plan();
    var attempt = held.next();
    store.holds = true;
    attempt.job().changes().record(Change.create("a.txt", "1"));
    attempt.job().changes().record(Change.create("b.txt", "2"));
    attempt.succeed(null);
    var first = BoundedWaits.take(store.waiting);
    assertThat(plan.state().status()).isEqualTo(PlanStatus.RUNNING);

    store.holds = false;
    first.complete(null);
    plan.ended();

    assertThat(plan.changes()).containsExactly("a.txt: none -> 1", "b.txt: none -> 2");
  }

  @Test
  void failsIfAChangeIsRefusedThatNobodyAskedAbout() {
    var plan = plan(1);
    var attempt = held.next();

    attempt.job().changes().record(Change.create("../a.txt", "1"));
    attempt.succeed(null);

    assertThat(plan.ended().status()).isEqualTo(PlanStatus.FAILED);
    assertThat(plan.state().steps().all().getFirst().reason())
        .contains("a change was not recorded", "../a.txt");
    assertThat(plan.chain()).isEmpty();
  }

  @Test
  void goesOnIfItKnowsThatAChangeIsRefused() {
    var plan = plan(1);
    var attempt = held.next();
    var sha256 = "ab".repeat(32);

    assertThat(record(attempt, Change.create("../a.txt", "1")))
        .isInstanceOf(ChangeAnswer.Invalid.class);
    assertThat(record(attempt, new Change.Delete("a", Content.stored(sha256))))
        .isEqualTo(new ChangeAnswer.UnknownBase(sha256));
    assertThat(BoundedWaits.get(attempt.job().changes().record(List.of())))
        .isEqualTo(new ChangeAnswer.Invalid("there is no change to record"));
    attempt.succeed(null);

    assertThat(plan.ended().status()).isEqualTo(PlanStatus.SUCCEEDED);
    assertThat(plan.chain()).isEmpty();
  }

  @Test
  void namesContentsThatAreStored() {
    var plan = plan();
    var attempt = held.next();
    var stored =
        Content.stored(ChainHash.of("old".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    record(attempt, Change.create("a.txt", "old"));

    assertThat(record(attempt, new Change.Modify("a.txt", stored, Content.text("new"))))
        .isInstanceOf(ChangeAnswer.Recorded.class);
    assertThat(record(attempt, new Change.Modify("b.txt", stored, Content.text("old"))))
        .isEqualTo(new ChangeAnswer.Invalid("\"b.txt\" holds the same before and after"));
    attempt.succeed(null);
    plan.ended();

    assertThat(plan.changes()).containsExactly("a.txt: none -> old", "a.txt: old -> new");
  }

  @Test
  void recordsInTheOrderOfItsCalls() {
    var plan = plan();
    var attempt = held.next();
    var answers = new ArrayList<CompletionStage<ChangeAnswer>>();
    var expected = new ArrayList<String>();
    for (int i = 0; i < 500; i++) {
      var text = i % 7 == 0 ? "x".repeat(50_000) + i : "" + i;
      answers.add(attempt.job().changes().record(Change.create("f" + i, text)));
      expected.add("f" + i + ": none -> " + text);
    }
    attempt.succeed(null);
    plan.ended();

    assertThat(answers).allSatisfy(one -> assertThat(BoundedWaits.get(one)).isNotNull());
    assertThat(plan.changes()).isEqualTo(expected);
  }

  @Test
  void hasAMost() {
    var plan = plan();
    var attempt = held.next();
    var many = new ArrayList<Change>();
    for (int i = 0; i < PlanChanges.MOST; i++) {
      many.add(Change.create("f" + i, ""));
    }
    assertThat(BoundedWaits.get(attempt.job().changes().record(many)))
        .isInstanceOf(ChangeAnswer.Recorded.class);

    var more = record(attempt, Change.create("more", ""));

    assertThat(more)
        .isInstanceOfSatisfying(
            ChangeAnswer.Full.class, full -> assertThat(full.reason()).contains("20000"));
    attempt.succeed(null);
    assertThat(plan.ended().status()).isEqualTo(PlanStatus.SUCCEEDED);
    assertThat(plan.chain()).extracting(Changeset::changes).containsExactly(PlanChanges.MOST);
  }

  /// Concurrent commits have to wait behind each write.
  @Test
  void storesLargeContentsAFewAtATime() {
    var plan = plan();
    var attempt = held.next();
    var random = new Random(1);
    var large = new ArrayList<Change>();
    for (int i = 0; i < 9; i++) {
      var content = new byte[3 << 20];
      random.nextBytes(content);
      large.add(new Change.Create("f" + i, Content.of(content)));
    }

    var answer = BoundedWaits.get(attempt.job().changes().record(large));

    assertThat(answer).isInstanceOf(ChangeAnswer.Recorded.class);
    assertThat(store.mostWritten).isBetween(3L << 20, 8L << 20);
    attempt.succeed(null);
    assertThat(plan.ended().status()).isEqualTo(PlanStatus.SUCCEEDED);
  }

  /// Each content can have ten million bytes.
  @Test
  void hasOnlyAFewOfTheContentsInMemoryThatItNamesByTheirHash() {
    var plan = plan();
    var attempt = held.next();
    var created = new ArrayList<Change>();
    var deleted = new ArrayList<Change>();
    for (int i = 0; i < 100; i++) {
      created.add(Change.create("f" + i, "content " + i));
      var sha256 = ChainHash.of(("content " + i).getBytes(StandardCharsets.UTF_8));
      deleted.add(new Change.Delete("f" + i, Content.stored(sha256)));
    }
    BoundedWaits.get(attempt.job().changes().record(created)).orThrow();

    var answer = BoundedWaits.get(attempt.job().changes().record(deleted));

    assertThat(answer).isInstanceOf(ChangeAnswer.Recorded.class);
    assertThat(store.mostRead).isEqualTo(ContentKeeper.READ_AT_ONCE);
    attempt.succeed(null);
    assertThat(plan.ended().status()).isEqualTo(PlanStatus.SUCCEEDED);
  }

  /// The stored changes must fit in one blob, so the limit counts the bytes of paths, not their
  /// characters.
  @Test
  void hasAMostOfBytes() {
    var plan = plan();
    var attempt = held.next();
    var path = String.join("/", Collections.nCopies(16, "\u6587".repeat(84)));
    var many = Collections.nCopies(1_100, Change.create(path, ""));

    var answer = BoundedWaits.get(attempt.job().changes().record(many));

    assertThat(answer)
        .isInstanceOfSatisfying(
            ChangeAnswer.Full.class, full -> assertThat(full.reason()).contains("4194304"));
    attempt.succeed(null);
    assertThat(plan.ended().status()).isEqualTo(PlanStatus.SUCCEEDED);
  }

  @Test
  void isToldWhenTheStoreIsAwayAndGoesOnWhenItIsBack() {
    var plan = plan();
    var attempt = held.next();
    store.away = true;
    assertThat(record(attempt, Change.create("a.txt", "1")))
        .isInstanceOf(ChangeAnswer.Unavailable.class);
    store.away = false;
    record(attempt, Change.create("a.txt", "1"));
    store.away = true;

    attempt.succeed(null);
    store.away = false;
    plan.ended();

    assertThat(plan.changes()).containsExactly("a.txt: none -> 1");
  }

  @Test
  void leavesDecisionsForThoseAfterIt() {
    var plan = plan();
    var attempt = held.next();
    for (int i = 1; i <= 20; i++) {
      attempt.job().decide("number " + i + "\0");
    }

    assertThatThrownBy(() -> attempt.job().decide("one more"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has made 20 decisions");
    assertThatThrownBy(() -> attempt.job().decide(" "))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> attempt.job().decide("x".repeat(1_025)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 1024 characters");
    attempt.succeed(null);
    plan.ended();

    assertThat(plan.decisions()).hasSize(20).startsWith("number 1\uFFFD");
    assertThat(plan.chain()).extracting(Changeset::decisions).containsExactly(20);
  }

  @Test
  void readsTheResultsOfOthers() throws Exception {
    var plan =
        TestPlan.submit(
            handoff,
            TestPlan.step(handoff, "one", JobRequest.of("held")),
            TestPlan.step(handoff, "empty", JobRequest.of("null")),
            TestPlan.child("child", List.of(), TestPlan.step(handoff, "in", JobRequest.of("null"))),
            TestPlan.step(handoff, "two", JobRequest.of("held"), "one", "empty", "child"),
            TestPlan.step(handoff, "three", JobRequest.of("held"), "two"));
    held.next().succeed(List.of(1, 2));
    var job = held.next().job();

    assertThat(job.plan()).contains(plan.id().value());
    assertThat(job.step()).contains("two");
    assertThat(job.result("one", int[].class)).contains(new int[] {1, 2});
    assertThat(job.result("one", Json.class)).contains(Json.of("[1,2]"));
    assertThat(job.result("empty", String.class)).isEmpty();
    assertThatThrownBy(() -> job.result("one", String.class))
        .hasMessageContaining("result of step \"one\" cannot be read");
    assertThatThrownBy(() -> job.result("none", String.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no step \"none\"; it has one, empty, child, two, three");
    assertThatThrownBy(() -> job.result("child", String.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is a plan");
    assertThatThrownBy(() -> job.result("three", String.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is waiting");
  }

  @Test
  void hasAPlanOnlyAsAStep() {
    handoff.submitOrThrow(JobRequest.of("held"));
    var job = held.next().job();

    assertThat(job.plan()).isEqualTo(Optional.empty());
    assertThat(job.step()).isEmpty();
    assertThatThrownBy(job::changes)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is no step of a plan");
    assertThatThrownBy(() -> job.decide("this")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> job.result("one", Json.class))
        .isInstanceOf(IllegalStateException.class);
  }

  /// I10: all committed changes are those of successful attempts.
  private static boolean visibleIfAndOnlyIfSucceeded(TestPlan plan) {
    return plan.chain().stream()
        .allMatch(
            set -> {
              var job = plan.job(set.by().step());
              return job.phase() instanceof dev.handoff.internal.job.JobPhase.Succeeded
                  && job.attempt() == set.by().attempt();
            });
  }
}
