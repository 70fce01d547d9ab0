package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.context.Assembled;
import dev.handoff.context.Assembled.Report.StrategyReport;
import dev.handoff.context.Budget;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextFragment;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.NotAssembledException;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.PipelinePart.StrategyExecutor.Outcome;
import dev.handoff.context.PipelineParts;
import dev.handoff.context.SearchDepth;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import dev.handoff.testing.BoundedWaits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A request for context")
class AssemblyTest {

  @TempDir private Path root;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(
        root.resolve("claims.md"),
        "# Claims\n\nA claim is durable before a worker hears of the job that it is for.\n");
    Files.writeString(
        root.resolve("bread.md"),
        "# Bread\n\nFlour, water, salt, and a long rest for the dough.\n");
  }

  private ContextRequest request() {
    return ContextRequest.of("how are claims made durable", root);
  }

  @Test
  void isAnsweredWithWhatTheFilesSay() {
    try (var handoff = memory().start()) {
      var context = assemble(handoff, request()).orThrow();

      assertThat(context.fragments().getFirst().resource()).isEqualTo("claims.md");
      assertThat(context.text()).contains("A claim is durable before a worker hears of the job");
      assertThat(context.budget()).isEqualTo(8_000);
      assertThat(context.report().isComplete()).isTrue();
      assertThat(context.report().strategies())
          .extracting(StrategyReport::name)
          .containsExactly(
              "breadth-depth-navigator",
              "semantic-embedding",
              "simple-keyword",
              "arce",
              "temporal-archaeology",
              "plan-decision-context");
    }
  }

  @Test
  void isAnsweredInTheSameWay_insideAHandler() {
    try (var handoff =
        memory()
            .handler(
                "ask",
                String.class,
                (query, job) ->
                    BoundedWaits.get(job.context(request().query(query)))
                        .orThrow()
                        .fragments()
                        .getFirst()
                        .resource())
            .start()) {
      var handle = handoff.submitOrThrow(JobRequest.of("ask", "durable claims"));

      assertThat(BoundedWaits.get(handle.result()))
          .isInstanceOfSatisfying(
              dev.handoff.Outcome.Succeeded.class,
              done -> assertThat(done.value().toString()).isEqualTo("\"claims.md\""));
    }
  }

  @Test
  void isCancelledWithTheAttemptThatAskedForIt() throws Exception {
    var hanging = new Hanging();
    var answered = new CompletableFuture<ContextAnswer>();
    try (var handoff =
        memory()
            .strategy(hanging)
            .cancelling(Duration.ofMillis(1), Duration.ofMinutes(1))
            .handler(
                "ask",
                String.class,
                (query, job) -> {
                  job.context(request()).thenAccept(answered::complete);
                  return BoundedWaits.get(answered).toString();
                })
            .start()) {
      var handle = handoff.submitOrThrow(JobRequest.of("ask", "x").maxAttempts(1));
      assertThat(hanging.began.await(20, TimeUnit.SECONDS)).isTrue();

      BoundedWaits.get(handle.cancel("not needed").ended());

      assertThat(BoundedWaits.get(answered)).isInstanceOf(ContextAnswer.Cancelled.class);
      assertThat(hanging.interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void thatIsCancelled_isToldWhatHadFinishedAndWhatWasStopped() throws Exception {
    var hanging = new Hanging();
    var stop = new CancellationSource();
    try (var handoff = memory().strategy(hanging).start()) {
      var answer =
          handoff.assemble(request().strategies("hanging", "simple-keyword"), stop.token());
      assertThat(hanging.began.await(20, TimeUnit.SECONDS)).isTrue();

      stop.cancel(new Cancellation(Cancellation.Cause.REQUESTED, "not needed", "test"));

      assertThat(BoundedWaits.get(answer))
          .isInstanceOfSatisfying(
              ContextAnswer.Cancelled.class,
              cancelled -> {
                assertThat(cancelled.reason()).isEqualTo("not needed");
                assertThat(outcomes(cancelled.report().strategies()))
                    .containsEntry("hanging", Outcome.STOPPED);
              });
      assertThat(hanging.interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void thatIsNotInOrder_isRefusedWithTheReason() {
    try (var handoff = memory().start()) {
      assertThat(assemble(handoff, request().query(" ")))
          .isEqualTo(
              new ContextAnswer.Invalid(
                  "query must not be empty: say what is to be done or known"));
      assertThat(assemble(handoff, request().budget(-5)))
          .isEqualTo(
              new ContextAnswer.Invalid(
                  "budget must leave at least 1 token for the context: was -5"));
      assertThat(assemble(handoff, request().strategies("semantic")))
          .isEqualTo(
              new ContextAnswer.Invalid(
                  "strategy \"semantic\" does not exist; known: arce, breadth-depth-navigator,"
                      + " plan-decision-context, semantic-embedding, simple-keyword,"
                      + " temporal-archaeology"));
      assertThat(assemble(handoff, request().require(ContextRequest.Backend.PLAN)))
          .isEqualTo(
              new ContextAnswer.Invalid(
                  "backend PLAN is required, and is not there; there is FILES"));
    }
  }

  @Test
  void thatCannotBeOne_harmsNobodyElse() {
    try (var handoff = memory().start()) {
      assertThat(assemble(handoff, request().timeout(ChronoUnit.FOREVER.getDuration())))
          .isInstanceOf(ContextAnswer.Invalid.class);
      assertThatNullPointerException()
          .isThrownBy(() -> handoff.assemble(null))
          .withMessage("request");
      assertThatNullPointerException()
          .isThrownBy(() -> handoff.assemble(request(), null))
          .withMessage("stop");
      assertThatNullPointerException()
          .isThrownBy(() -> request().budget((Budget) null))
          .withMessage("budget");
      assertThatNullPointerException().isThrownBy(() -> request().parts(null)).withMessage("parts");

      assertThat(BoundedWaits.get(handoff.health()).ready()).isTrue();
      assertThat(assemble(handoff, request())).isInstanceOf(Assembled.class);
    }
  }

  @Test
  void whoseStrategiesBlockWhereTheyMustNot_keepsNoJobFromRunning() throws Exception {
    var began = new CountDownLatch(8);
    var over = new CountDownLatch(1);
    try (var handoff =
        memory()
            .strategy(new Undecided(began, over))
            .handler("echo", String.class, (word, job) -> word)
            .start()) {
      var answers = IntStream.range(0, 32).mapToObj(number -> handoff.assemble(request())).toList();
      try {
        assertThat(began.await(20, TimeUnit.SECONDS)).isTrue();

        var handle = handoff.submitOrThrow(JobRequest.of("echo", "x"));

        assertThat(BoundedWaits.get(handle.result()))
            .isInstanceOf(dev.handoff.Outcome.Succeeded.class);
        assertThat(answers).noneMatch(answer -> answer.toCompletableFuture().isDone());
      } finally {
        over.countDown();
      }
      answers.forEach(answer -> assertThat(BoundedWaits.get(answer)).isInstanceOf(Assembled.class));
    }
  }

  @Test
  void forADirectoryThatIsNotThere_isRefusedWithTheReason() {
    try (var handoff = memory().start()) {
      var answer = assemble(handoff, ContextRequest.of("x", root.resolve("nowhere")));

      assertThat(answer).isInstanceOf(ContextAnswer.NoWorkspace.class);
      assertThatExceptionOfType(NotAssembledException.class)
          .isThrownBy(answer::orThrow)
          .withMessageContaining("nowhere")
          .satisfies(thrown -> assertThat(thrown.answer()).isEqualTo(answer));
    }
  }

  @Test
  void ofAnEngineThatIsClosed_isAnsweredAsUnavailable() {
    var handoff = memory().start();
    handoff.close();

    assertThat(assemble(handoff, request())).isInstanceOf(ContextAnswer.Unavailable.class);
  }

  @Test
  void losesNothingOfTheOthers_whateverAStrategyDoes() {
    var never = new CompletableFuture<List<Fragment>>();
    try (var handoff =
        memory()
            .strategy(new Doing("throws", call -> fail(new IllegalStateException("no model"))))
            .strategy(new Doing("error", call -> fail(new StackOverflowError())))
            .strategy(new Doing("null-stage", call -> null))
            .strategy(new Doing("null-list", call -> CompletableFuture.completedStage(null)))
            .strategy(
                new Doing(
                    "null-element",
                    call -> CompletableFuture.completedStage(Collections.singletonList(null))))
            .strategy(
                new Doing("fails-later", call -> CompletableFuture.failedStage(new Error("later"))))
            .strategy(new Doing("never", call -> never))
            .strategy(new Doing("empty", call -> CompletableFuture.completedStage(List.of())))
            .strategy(new Doing("too-much", AssemblyTest::tooMuch))
            .start()) {
      var context = assemble(handoff, request().timeout(Duration.ofSeconds(2))).orThrow();

      assertThat(context.fragments()).extracting(ContextFragment::resource).contains("claims.md");
      assertThat(context.totalTokens() + context.report().preambleTokens())
          .isLessThanOrEqualTo(8_000);
      assertThat(outcomes(context.report().strategies()))
          .containsEntry("throws", Outcome.FAILED)
          .containsEntry("error", Outcome.FAILED)
          .containsEntry("null-stage", Outcome.FAILED)
          .containsEntry("null-list", Outcome.FAILED)
          .containsEntry("null-element", Outcome.FAILED)
          .containsEntry("fails-later", Outcome.FAILED)
          .containsEntry("never", Outcome.TIMED_OUT)
          .containsEntry("empty", Outcome.NOTHING)
          .containsEntry("too-much", Outcome.FOUND)
          .containsEntry("simple-keyword", Outcome.FOUND);
      assertThat(context.report().isComplete()).isFalse();
      assertThat(detail(context, "throws")).isEqualTo("java.lang.IllegalStateException: no model");
      assertThat(detail(context, "never")).isEqualTo("it took longer than 2s");
      BoundedWaits.until("its stage was cancelled", never::isCancelled);
      assertThat(detail(context, "null-stage"))
          .isEqualTo(
              "java.lang.IllegalStateException: it returned null instead of a stage; a stage of an"
                  + " empty list means that nothing was found");
      assertThat(context.preamble())
          .contains("Missing: throws failed: java.lang.IllegalStateException: no model");
    }
  }

  private static CompletionStage<List<Fragment>> fail(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }

  private static CompletionStage<List<Fragment>> tooMuch(StrategyCall call) {
    var fragments = new ArrayList<Fragment>();
    for (int i = 0; i < 2_000; i++) {
      fragments.add(
          Fragment.of(
              "made/" + i, "someone-else", SearchDepth.FULL, "word ".repeat(call.share()), 0.1));
    }
    return CompletableFuture.completedStage(fragments);
  }

  @Test
  void reachesAStrategyWithWhatItNeeds() {
    var seen = new CompletableFuture<StrategyCall>();
    var paths = new CompletableFuture<Set<String>>();
    var looks =
        new Doing(
            "looks",
            call -> {
              seen.complete(call);
              paths.complete(call.workspace().paths());
              return call.ask(
                  call.request().query("bread"),
                  Set.of("simple-keyword", "looks", "no-such", "throws"));
            });
    var failing = new Doing("throws", call -> fail(new IllegalStateException("no model")));
    try (var handoff = memory().strategy(looks).strategy(failing).start()) {
      var context = assemble(handoff, request().strategies("looks").budget(500)).orThrow();

      assertThat(context.fragments())
          .extracting(ContextFragment::resource, ContextFragment::strategy)
          .containsExactly(org.assertj.core.api.Assertions.tuple("bread.md", "looks"));
      assertThat(BoundedWaits.get(paths)).containsExactly("bread.md", "claims.md");
      var call = BoundedWaits.get(seen);
      assertThat(call.share()).isEqualTo(450);
      assertThat(call.request().query()).isEqualTo("how are claims made durable");
      assertThat(call.cancellation().isCancelled()).isFalse();
    }
  }

  @Test
  void stopsWhatAStrategyAskedFor_whenTheTimeOfThatStrategyIsOver() throws Exception {
    var hanging = new Hanging();
    var asking =
        new Doing(
            "asking",
            call -> call.ask(call.request().timeout(Duration.ofHours(1)), Set.of("hanging")));
    try (var handoff = memory().strategy(hanging).strategy(asking).start()) {
      var answer = assemble(handoff, request().strategies("asking").timeout(Duration.ofSeconds(1)));

      assertThat(answer).isInstanceOf(ContextAnswer.Failed.class);
      assertThat(hanging.interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void usesThePartsOfItsProject() {
    PipelinePart.Orderer backwards = packed -> packed.reversed();
    try (var handoff =
        memory()
            .contextParts("site", PipelineParts.NONE.with(PipelinePart.Orderer.class, backwards))
            .start()) {
      var usual = assemble(handoff, request().query("claims and bread")).orThrow();
      var other = assemble(handoff, request().query("claims and bread").project("site")).orThrow();

      assertThat(other.fragments()).isEqualTo(usual.fragments().reversed()).hasSize(2);
    }
  }

  @Test
  void usesThePartsForAll_andThoseThatCameLast() {
    PipelinePart.Orderer none = packed -> List.of();
    PipelinePart.Orderer backwards = packed -> packed.reversed();
    try (var handoff =
        memory()
            .contextParts(PipelineParts.NONE.with(PipelinePart.Orderer.class, none))
            .contextParts(PipelineParts.NONE.with(PipelinePart.Orderer.class, backwards))
            .start()) {
      assertThat(assemble(handoff, request().query("claims and bread")).orThrow().fragments())
          .hasSize(2);
    }
  }

  @Test
  void needsStrategiesWithNamesOfTheirOwn() {
    assertThatIllegalStateException()
        .isThrownBy(() -> memory().strategy(new Doing("arce", call -> null)))
        .withMessage("there is a strategy \"arce\" already");
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> memory().strategy(new Doing("no name", call -> null)))
        .withMessageContaining("strategy");
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> memory().contextParts("", PipelineParts.NONE))
        .withMessageContaining("project");
  }

  @Test
  void needsStrategiesThatThereAre_inTheConfiguration() {
    var builder = memory().set("context.strategies", List.of("simple-keyword", "semantic"));

    assertThatIllegalArgumentException()
        .isThrownBy(builder::start)
        .withMessageStartingWith(
            "handoff.context.strategies: \"semantic\" does not exist; known: arce, ");
  }

  @Test
  void keepsItsIndexBesideTheFileStore(@TempDir Path data) {
    try (var handoff = Handoff.builder().directory(data).start()) {
      assertThat(assemble(handoff, request())).isInstanceOf(Assembled.class);
    }
    assertThat(data.resolve("context")).isNotEmptyDirectory();
  }

  private static Map<String, Outcome> outcomes(List<StrategyReport> strategies) {
    return strategies.stream()
        .collect(Collectors.toMap(StrategyReport::name, StrategyReport::outcome));
  }

  private static String detail(Assembled context, String strategy) {
    return context.report().strategies().stream()
        .filter(one -> one.name().equals(strategy))
        .map(StrategyReport::detail)
        .findFirst()
        .orElseThrow();
  }

  private static ContextAnswer assemble(Handoff handoff, ContextRequest request) {
    return BoundedWaits.get(handoff.assemble(request));
  }

  private static HandoffBuilder memory() {
    return Handoff.builder().store(new StoreSettings.Memory()).partitions(1).workers(2);
  }

  /// Strategy that runs a function.
  private record Doing(String name, Function<StrategyCall, CompletionStage<List<Fragment>>> what)
      implements Strategy {
    @Override
    public double confidence(ContextRequest request, Set<ContextRequest.Backend> backends) {
      return 0.9;
    }

    @Override
    public CompletionStage<List<Fragment>> gather(StrategyCall call) {
      return what.apply(call);
    }
  }

  /// Strategy whose confidence call blocks until released.
  private record Undecided(CountDownLatch began, CountDownLatch over) implements Strategy {
    @Override
    public String name() {
      return "undecided";
    }

    @Override
    public double confidence(ContextRequest request, Set<ContextRequest.Backend> backends) {
      began.countDown();
      try {
        over.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return 0.5;
    }

    @Override
    public CompletionStage<List<Fragment>> gather(StrategyCall call) {
      return CompletableFuture.completedStage(List.of());
    }
  }

  /// Strategy that blocks until interrupted.
  private static final class Hanging implements Strategy {
    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);

    @Override
    public String name() {
      return "hanging";
    }

    @Override
    public double confidence(ContextRequest request, Set<ContextRequest.Backend> backends) {
      return 0.9;
    }

    @Override
    public CompletionStage<List<Fragment>> gather(StrategyCall call) throws InterruptedException {
      began.countDown();
      try {
        new CountDownLatch(1).await();
        throw new AssertionError("nobody counts it down");
      } catch (InterruptedException stopped) {
        interrupted.countDown();
        throw stopped;
      }
    }
  }
}
