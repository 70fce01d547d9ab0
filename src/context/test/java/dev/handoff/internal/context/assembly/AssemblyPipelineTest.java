package dev.handoff.internal.context.assembly;

import static dev.handoff.internal.context.assembly.PipelineSamples.fragment;
import static dev.handoff.internal.context.assembly.PipelineSamples.off;
import static dev.handoff.internal.context.assembly.PipelineSamples.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.context.Assembled;
import dev.handoff.context.Assembled.Report.StrategyReport;
import dev.handoff.context.ContextFragment;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.PipelinePart.StrategyExecutor.Outcome;
import dev.handoff.context.PipelinePart.StrategyExecutor.StrategyRun;
import dev.handoff.context.PipelinePart.StrategySelector.Candidate;
import dev.handoff.context.PipelineParts;
import dev.handoff.context.SearchDepth;
import dev.handoff.context.Strategy;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.pekko.stream.javadsl.Sink;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The pipeline")
class AssemblyPipelineTest {

  private static final ContextRequest REQUEST = PipelineSamples.REQUEST.budget(1_000);

  /// Executor whose strategies return their fixed results at once.
  private static final PipelinePart.StrategyExecutor AT_ONCE =
      work ->
          CompletableFuture.completedStage(
              work.shares().stream().map(AssemblyPipelineTest::run).toList());

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  @Test
  void makesAContext_andTellsHow() {
    var keyword = fixed("keyword", 0.5, "a/one", "b/two");
    var semantic = fixed("semantic", 0.5, "a/one");

    var context =
        assemble(REQUEST, PipelineParts.NONE, on(keyword), on(semantic), off(fixed("arce", 0.9)));

    assertThat(context.budget()).isEqualTo(1_000);
    assertThat(context.fragments())
        .extracting(ContextFragment::resource)
        .containsExactly("a/one", "b/two");
    assertThat(context.totalTokens())
        .isEqualTo(context.fragments().stream().mapToInt(ContextFragment::tokens).sum());
    assertThat(context.preamble())
        .startsWith("Found by (confidence, fragments): keyword (0.50, 2).\n")
        .contains("Note: a note");
    assertThat(context.text())
        .isEqualTo(
            context.preamble()
                + context.fragments().get(0).shown()
                + context.fragments().get(1).shown());

    var report = context.report();
    assertThat(report.pool()).isEqualTo(1_000);
    assertThat(report.isComplete()).isTrue();
    assertThat(report.strategies())
        .extracting(StrategyReport::name)
        .containsExactly("keyword", "semantic", "arce");
    assertThat(report.strategies().get(0))
        .isEqualTo(
            new StrategyReport(
                "keyword",
                Outcome.FOUND,
                0.5,
                450,
                Duration.ofMillis(5),
                2,
                2,
                context.totalTokens(),
                ""));
    assertThat(report.strategies().get(2).detail()).isEqualTo("it is off");
    assertThat(report.scores()).extracting(one -> one.resource()).containsExactly("a/one", "b/two");
    assertThat(report.leftOut())
        .containsExactly(
            new PipelinePart.Result.LeftOut("a/one", "semantic", "the same as what keyword found"));
    assertThat(report.notes()).containsExactly("a note");
    assertThat(report.preambleTokens()).isEqualTo(PipelineSamples.WORDS.count(context.preamble()));
  }

  @Test
  void givesTheSameForTheSame() {
    var candidates =
        new Candidate[] {on(fixed("x", 0.5, "c", "a", "b")), on(fixed("y", 0.5, "b", "d", "a"))};

    var first = assemble(REQUEST.budget(300), PipelineParts.NONE, candidates);

    for (int i = 0; i < 20; i++) {
      var again = assemble(REQUEST.budget(300), PipelineParts.NONE, candidates);
      assertThat(again.text()).isEqualTo(first.text());
      assertThat(again.report().scores()).isEqualTo(first.report().scores());
    }
  }

  @Test
  void neverTakesMoreThanTheBudget_preambleAndSkeletonIncluded() {
    var parent = assemble(REQUEST, PipelineParts.NONE, on(fixed("x", 0.5, "p/a", "p/b", "p/c")));
    for (int budget = 1; budget < 500; budget++) {
      var request = REQUEST.budget(budget).parent(parent);

      var context =
          assemble(request, PipelineParts.NONE, on(fixed("x", 0.5, "a", "b", "c", "d", "e")));

      assertThat(context.totalTokens() + context.report().preambleTokens())
          .as("budget %d", budget)
          .isLessThanOrEqualTo(budget);
      assertThat(PipelineSamples.WORDS.count(context.text()))
          .as("budget %d", budget)
          .isLessThanOrEqualTo(budget);
    }
  }

  @Test
  void keepsASkeletonOfTheParentsContext() {
    var parent = assemble(REQUEST, PipelineParts.NONE, on(fixed("x", 0.5, "p/a")));

    var context = assemble(REQUEST.parent(parent), PipelineParts.NONE, on(fixed("x", 0.5, "a")));

    assertThat(context.fragments())
        .extracting(ContextFragment::resource)
        .containsExactly("a", "p/a");
    assertThat(context.fragments().getLast().depth()).isEqualTo(SearchDepth.SUMMARY);
    assertThat(context.report().pool()).isEqualTo(850);
    assertThat(context.budget()).isEqualTo(1_000);
  }

  @Test
  void asksTheKeywordSearch_whenAllHaveFoundNothing() {
    var context =
        assemble(
            REQUEST,
            PipelineParts.NONE,
            on(fixed("x", 0.5)),
            off(fixed(ConfidentSelector.FALLBACK, 0.3, "a")));

    assertThat(context.fragments()).extracting(ContextFragment::resource).containsExactly("a");
    assertThat(context.report().strategies())
        .extracting(StrategyReport::outcome)
        .containsExactly(Outcome.NOTHING, Outcome.FOUND);
  }

  @Test
  void asksNobodyElse_whenTheStrategiesWereNamed() {
    var context =
        assemble(
            REQUEST.strategies("x"),
            PipelineParts.NONE,
            on(fixed("x", 0.5)),
            on(fixed(ConfidentSelector.FALLBACK, 0.3, "a")));

    assertThat(context.fragments()).isEmpty();
    assertThat(context.preamble()).startsWith("Nothing was found.");
  }

  @Test
  void usesOtherParts_ifItIsGivenSome() {
    PipelinePart.Orderer backwards = packed -> packed.reversed();
    PipelinePart.ContextPreamble silent = (report, most, tokens) -> "";

    var context =
        assemble(
            REQUEST,
            PipelineParts.NONE
                .with(PipelinePart.Orderer.class, backwards)
                .with(PipelinePart.ContextPreamble.class, silent),
            on(fixed("x", 0.5, "a", "b")));

    assertThat(context.fragments()).extracting(ContextFragment::resource).containsExactly("b", "a");
    assertThat(context.preamble()).isEmpty();
    assertThat(context.report().preambleTokens()).isZero();
  }

  static Stream<Class<? extends PipelinePart>> everyPart() {
    return Stream.of(PipelinePart.class.getPermittedSubclasses())
        .map(one -> one.asSubclass(PipelinePart.class));
  }

  @ParameterizedTest
  @MethodSource("everyPart")
  void saysWhichPartBroke(Class<? extends PipelinePart> kind) {
    var request = REQUEST.parent(assemble(REQUEST, PipelineParts.NONE, on(fixed("x", 0.5, "p/a"))));

    assertThatThrownBy(() -> assemble(request, broken(kind), on(fixed("x", 0.5, "a"))))
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(PartFailedException.class)
        .hasMessage(
            "the %s failed: java.lang.StackOverflowError: null".formatted(kind.getSimpleName()));
  }

  private static PipelineParts broken(Class<? extends PipelinePart> kind) {
    var parts =
        PipelineParts.NONE
            .with(PipelinePart.StrategySelector.class, (request, known, backends) -> fail())
            .with(PipelinePart.BudgetAllocator.class, (pool, chosen) -> fail())
            .with(PipelinePart.StrategyExecutor.class, work -> fail())
            .with(PipelinePart.Deduplicator.class, found -> fail())
            .with(PipelinePart.DepthResolver.class, (found, pool, tokens) -> fail())
            .with(PipelinePart.Scorer.class, (candidates, confidences) -> fail())
            .with(PipelinePart.Packer.class, (scored, shares, pool, tokens) -> fail())
            .with(PipelinePart.Orderer.class, packed -> fail())
            .with(PipelinePart.ContextPreamble.class, (report, most, tokens) -> fail())
            .with(PipelinePart.SkeletonCompressor.class, (parent, most, tokens) -> fail());
    return only(kind, parts);
  }

  private static <P extends PipelinePart> PipelineParts only(Class<P> kind, PipelineParts parts) {
    return PipelineParts.NONE.with(kind, parts.get(kind));
  }

  private static <T> T fail() {
    throw new StackOverflowError();
  }

  @Test
  void saysWhichPartGaveNull() {
    assertThatThrownBy(
            () ->
                assemble(
                    REQUEST,
                    PipelineParts.NONE.with(PipelinePart.Orderer.class, packed -> null),
                    on(fixed("x", 0.5, "a"))))
        .cause()
        .hasMessage("the Orderer failed: java.lang.NullPointerException: it gave null");
  }

  @Test
  void refusesToGoOverTheBudget_whoeverPacks_whateverTheySay() {
    PipelinePart.Packer greedy =
        (scored, shares, pool, tokens) ->
            new PipelinePart.Result<>(
                List.of(
                    new ContextFragment(
                        "a", "x", SearchDepth.FULL, 1, 1, PipelineSamples.words("a", pool - 4))),
                List.of());
    PipelinePart.Orderer doubling = packed -> Stream.generate(packed::getFirst).limit(10).toList();
    PipelinePart.ContextPreamble endless = (report, most, tokens) -> "word ".repeat(most + 1);

    assertThatThrownBy(
            () ->
                assemble(
                    REQUEST,
                    PipelineParts.NONE.with(PipelinePart.Packer.class, greedy),
                    on(fixed("x", 0.5, "a"))))
        .cause()
        .hasMessageMatching("the Packer failed: .*it took \\d+ tokens, and there are \\d+");
    assertThatThrownBy(
            () ->
                assemble(
                    REQUEST,
                    PipelineParts.NONE.with(PipelinePart.Orderer.class, doubling),
                    on(fixed("x", 0.5, "a"))))
        .cause()
        .hasMessageMatching("the Orderer failed: .*it took 1050 tokens, and there are \\d+");
    assertThatThrownBy(
            () ->
                assemble(
                    REQUEST,
                    PipelineParts.NONE.with(PipelinePart.ContextPreamble.class, endless),
                    on(fixed("x", 0.5, "a"))))
        .cause()
        .hasMessageEndingWith("it took 101 tokens, and there are 100");
  }

  @Test
  void countsAgainWhatAPackerHasCounted() {
    PipelinePart.Packer modest =
        (scored, shares, pool, tokens) ->
            new PipelinePart.Result<>(
                List.of(new ContextFragment("a", "x", SearchDepth.FULL, 1, 1, "one two")),
                List.of());

    var context =
        assemble(
            REQUEST,
            PipelineParts.NONE.with(PipelinePart.Packer.class, modest),
            on(fixed("x", 0.5, "a")));

    assertThat(context.totalTokens())
        .isEqualTo(PipelineSamples.WORDS.count("== a (all of it) one two"));
    assertThat(context.fragments().getFirst().tokens()).isEqualTo(context.totalTokens());
  }

  static Stream<Arguments> wrongRuns() {
    return Stream.of(
        Arguments.of(CompletableFuture.completedStage(null), "java.lang.NullPointerException"),
        Arguments.of(
            CompletableFuture.completedStage(Collections.singletonList(null)),
            "java.lang.NullPointerException"),
        Arguments.of(
            CompletableFuture.failedStage(new IllegalStateException("no model")),
            "java.lang.IllegalStateException: no model"),
        Arguments.of(
            CompletableFuture.failedFuture(new IllegalStateException("no model"))
                .thenApply(none -> none),
            "java.lang.IllegalStateException: no model"));
  }

  @ParameterizedTest
  @MethodSource("wrongRuns")
  void saysThatTheExecutorBroke(CompletionStage<List<StrategyRun>> runs, String why) {
    PipelinePart.StrategyExecutor wrong = work -> runs;

    assertThatThrownBy(
            () ->
                assemble(
                    REQUEST,
                    PipelineParts.NONE.with(PipelinePart.StrategyExecutor.class, wrong),
                    on(fixed("x", 0.5, "a"))))
        .cause()
        .isInstanceOf(PartFailedException.class)
        .hasMessageStartingWith("the StrategyExecutor failed: " + why);
  }

  @Test
  void takesNoScoresThatAreNoNumbers() {
    PipelinePart.Scorer lost =
        (candidates, confidences) ->
            candidates.stream()
                .map(
                    one ->
                        new PipelinePart.Scorer.Scored(
                            one, new PipelinePart.Scorer.Score(Double.NaN, 1, 1, 1, 1)))
                .toList();

    assertThatThrownBy(
            () ->
                assemble(
                    REQUEST,
                    PipelineParts.NONE.with(PipelinePart.Scorer.class, lost),
                    on(fixed("x", 0.5, "a"))))
        .cause()
        .hasMessage(
            "the Scorer failed: java.lang.IllegalArgumentException: total of a score"
                + " must be a number, was NaN");
  }

  @Test
  void remembersWhatWasKnown_whenAPartBreaks() {
    assertThatThrownBy(
            () -> assemble(REQUEST, broken(PipelinePart.Scorer.class), on(fixed("x", 0.5, "a"))))
        .cause()
        .isInstanceOfSatisfying(
            PartFailedException.class,
            broken -> assertThat(broken.draft().confidences()).containsKey("x"));
  }

  private static Assembled assemble(
      ContextRequest request, PipelineParts parts, Candidate... known) {
    var input =
        new AssemblyInput(
            request,
            List.of(known),
            new EmptyView(false),
            PipelineSamples.WORDS,
            new CancellationSource().token());
    return new AssemblyPipeline(parts.over(DefaultParts.with(AT_ONCE)), input)
        .assemble()
        .runWith(Sink.head(), actors.system())
        .toCompletableFuture()
        .join();
  }

  private static StrategyRun run(PipelinePart.BudgetAllocator.Share share) {
    var fragments = ((PipelineSamples.Fixed) share.chosen().strategy()).fragments();
    var outcome = fragments.isEmpty() ? Outcome.NOTHING : Outcome.FOUND;
    return new StrategyRun(share, outcome, Duration.ofMillis(5), fragments, "");
  }

  private static Strategy fixed(String name, double confidence, String... resources) {
    return new PipelineSamples.Fixed(
        name,
        confidence,
        Stream.of(resources)
            .map(
                one ->
                    fragment(
                        one, name, 0.5, SearchDepth.NAME, SearchDepth.OUTLINE, SearchDepth.FULL))
            .toList());
  }
}
