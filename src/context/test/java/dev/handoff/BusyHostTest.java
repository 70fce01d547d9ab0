package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.Assembled;
import dev.handoff.context.ContextRequest;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.Change;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.PlanRetryAnswer;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.BusyThreads;
import dev.handoff.testing.StoreDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.pekko.stream.javadsl.Sink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Engine in a JVM whose shared threads are busy: every public method answers, and runs callbacks
/// unless all callback threads are blocked.
@DisplayName("An engine in a host that holds the threads that all share")
class BusyHostTest {

  enum Trouble {
    COMMON_POOL(BusyThreads::ofTheCommonPool),
    VIRTUAL_THREADS(BusyThreads::ofVirtualThreads),
    CALLBACKS(BusyThreads::ofCallbacks),
    ALL_CALLBACKS(BusyThreads::ofAllCallbacks);

    private final Supplier<BusyThreads> begin;

    Trouble(Supplier<BusyThreads> begin) {
      this.begin = begin;
    }
  }

  @TempDir private Path root;
  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final CountDownLatch release = new CountDownLatch(1);
  private Handoff handoff;
  private BusyThreads busy;
  private boolean callsBack = true;

  @BeforeEach
  void start() throws IOException {
    Files.writeString(root.resolve("claims.md"), "# Claims\n\nA claim is durable.\n");
    handoff =
        Handoff.builder()
            .store(home.store())
            .partitions(2)
            .handler("quick", Json.class, JobHandler.blocking((payload, job) -> payload))
            .handler("held", Json.class, JobHandler.blocking((payload, job) -> held()))
            .start();
    // The first context builds the index and loads classes.
    BoundedWaits.get(handoff.assemble(ContextRequest.of("claims", root)));
  }

  @AfterEach
  void stop() {
    if (busy != null) {
      busy.close();
    }
    release.countDown();
    handoff.close();
    home.close();
  }

  private Object held() throws InterruptedException {
    release.await();
    return null;
  }

  private static void await(CountDownLatch release) {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void begin(Trouble trouble) {
    busy = trouble.begin.get();
    callsBack = trouble != Trouble.ALL_CALLBACKS;
  }

  /// Waits for an answer through a callback, or by joining if no callback can run.
  private <T> T told(CompletionStage<T> stage) {
    return BoundedWaits.get(callsBack ? stage.thenApply(answer -> answer) : stage);
  }

  private JobHandle submit(String type) {
    return told(handoff.submit(JobRequest.of(type))).orThrow();
  }

  private PlanHandle submitPlan(String type) {
    return told(handoff.plans().submit(PlanRequest.of("plan").step("only", JobRequest.of(type))))
        .orThrow();
  }

  @ParameterizedTest
  @EnumSource
  void answersForJobs(Trouble trouble) {
    begin(trouble);

    var job = submit("quick");

    assertThat(told(job.result())).isInstanceOf(Outcome.Succeeded.class);
    assertThat(told(job.ended()).status().isTerminal()).isTrue();
    assertThat(told(job.status()).status().isTerminal()).isTrue();
    assertThat(told(handoff.job(new JobId("01K9Z3N0W60000000000000000")))).isEmpty();
    assertThat(told(handoff.jobs(JobFilter.ALL, Optional.empty(), 10)).jobs()).hasSize(1);
    assertThat(told(handoff.health()).ready()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void answersForCancelsAndRetries(Trouble trouble) {
    begin(trouble);

    var job = submit("held");
    told(handoff.queues().pause("default"));
    var waiting = submit("quick");

    assertThat(told(waiting.cancel("enough").requested()))
        .isEqualTo(CancelHandle.CancelRequestAnswer.REQUESTED);
    assertThat(told(waiting.cancel("enough").ended())).isInstanceOf(CancelReport.Already.class);
    assertThat(told(handoff.retry(waiting.id(), "somebody")))
        .isInstanceOf(RetryAnswer.Reopened.class);
    told(handoff.queues().resume("default"));
    assertThat(told(waiting.result())).isInstanceOf(Outcome.Succeeded.class);
    release.countDown();
    assertThat(told(job.result())).isInstanceOf(Outcome.Succeeded.class);
  }

  @ParameterizedTest
  @EnumSource
  void answersForQueuesAndEvents(Trouble trouble) {
    begin(trouble);

    told(handoff.queues().limit("default", OptionalInt.of(3)));
    var job = submit("quick");
    var own = job.events().runWith(Sink.last(), handoff.materializer());

    assertThat(told(handoff.queues().list()).getFirst().maxRunning()).hasValue(3);
    var last = BoundedWaits.get(own);
    var again = handoff.eventsAfter(last.number() - 1);
    assertThat(last.isLast()).isTrue();
    assertThat(BoundedWaits.get(again.runWith(Sink.head(), handoff.materializer())).number())
        .isEqualTo(last.number());
  }

  @ParameterizedTest
  @EnumSource
  void answersForPlansAndTheirChanges(Trouble trouble) {
    begin(trouble);

    var plan = submitPlan("held");
    var opened = (ChangesetAnswer.Done) told(plan.startChangeset("by hand", "somebody"));
    var change = Change.create("a.txt", "one\n");

    assertThat(told(plan.record(opened.changeset(), change)))
        .isInstanceOf(ChangeAnswer.Recorded.class);
    assertThat(told(plan.close(opened.changeset()))).isInstanceOf(ChangesetAnswer.Done.class);
    assertThat(told(plan.changesets())).hasSize(1);
    assertThat(told(plan.diff()).text()).contains("+one");
    assertThat(told(plan.conflicts())).isEmpty();
    assertThat(told(plan.info())).isPresent();
    assertThat(told(handoff.plans().list(Optional.empty(), 10)).plans()).hasSize(1);
    release.countDown();
    assertThat(told(plan.result())).isInstanceOf(PlanOutcome.Succeeded.class);
    assertThat(told(plan.ended()).status().label()).isEqualTo("succeeded");
    assertThat(told(plan.apply(root))).isInstanceOf(ApplyAnswer.Applied.class);
    assertThat(told(plan.verify())).isNotNull();
    assertThat(told(plan.retry("somebody"))).isInstanceOf(PlanRetryAnswer.NotPossible.class);
  }

  @ParameterizedTest
  @EnumSource
  void answersForBreakersAndContexts(Trouble trouble) {
    begin(trouble);

    assertThat(told(handoff.breakers().callBlocking("backend", () -> "done"))).isEqualTo("done");
    assertThat(told(handoff.breakers().list())).isNotEmpty();
    assertThat(told(handoff.breakers().get("backend"))).isPresent();
    told(handoff.breakers().reset("backend"));
    assertThat(told(handoff.assemble(ContextRequest.of("claims", root))))
        .isInstanceOf(Assembled.class);
  }

  @Test
  void endsWhileCallbacksBlock() {
    busy = BusyThreads.ofCallbacks();

    var waiting = IntStream.range(0, 3).mapToObj(i -> submit("held").result()).toList();

    release.countDown();
    handoff.close();

    assertThat(waiting).allSatisfy(result -> assertThat(result.toCompletableFuture()).isDone());
  }

  @Test
  void keepsNobodyWaitingForACallbackThatBlocks() {
    var block = new CountDownLatch(1);
    var job = submit("quick");
    var stuck = job.result().thenAccept(outcome -> await(block));

    assertThat(List.of(told(job.result()), told(job.result())))
        .allMatch(Outcome.Succeeded.class::isInstance);

    block.countDown();
    BoundedWaits.get(stuck);
  }
}
