package dev.handoff.context.assembly;

import static dev.handoff.context.assembly.Made.fragment;
import static dev.handoff.context.assembly.Made.off;
import static dev.handoff.context.assembly.Made.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.context.Assembled;
import dev.handoff.context.AssemblyReport.StrategyReport;
import dev.handoff.context.BudgetAllocator;
import dev.handoff.context.ContextFragment;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.Deduplicator;
import dev.handoff.context.Depth;
import dev.handoff.context.DepthResolver;
import dev.handoff.context.Orderer;
import dev.handoff.context.Packer;
import dev.handoff.context.Part;
import dev.handoff.context.Parts;
import dev.handoff.context.Preamble;
import dev.handoff.context.Scorer;
import dev.handoff.context.Sifted;
import dev.handoff.context.SkeletonCompressor;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyExecutor;
import dev.handoff.context.StrategyExecutor.Outcome;
import dev.handoff.context.StrategyExecutor.StrategyRun;
import dev.handoff.context.StrategySelector;
import dev.handoff.context.StrategySelector.Candidate;
import dev.handoff.testing.Actors;
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

  private static final ContextRequest REQUEST = Made.REQUEST.budget(1_000);

  /// Every strategy finds what it always finds, at once.
  private static final StrategyExecutor AT_ONCE =
      work ->
          CompletableFuture.completedStage(
              work.shares().stream().map(AssemblyPipelineTest::run).toList());

  @RegisterExtension static final Actors actors = Actors.inRealTime();

  @Test
  void makesAContext_andTellsHow() {
    var keyword = fixed("keyword", 0.5, "a/one", "b/two");
    var semantic = fixed("semantic", 0.5, "a/one");

    var context = assemble(REQUEST, Parts.NONE, on(keyword), on(semantic), off(fixed("arce", 0.9)));

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
        .containsExactly(new Sifted.LeftOut("a/one", "semantic", "the same as what keyword found"));
    assertThat(report.notes()).containsExactly("a note");
    assertThat(report.preambleTokens()).isEqualTo(Made.WORDS.count(context.preamble()));
  }

  @Test
  void givesTheSameForTheSame() {
    var candidates =
        new Candidate[] {on(fixed("x", 0.5, "c", "a", "b")), on(fixed("y", 0.5, "b", "d", "a"))};

    var first = assemble(REQUEST.budget(300), Parts.NONE, candidates);

    for (int i = 0; i < 20; i++) {
      var again = assemble(REQUEST.budget(300), Parts.NONE, candidates);
      assertThat(again.text()).isEqualTo(first.text());
      assertThat(again.report().scores()).isEqualTo(first.report().scores());
    }
  }

  @Test
  void neverTakesMoreThanTheBudget_preambleAndSkeletonIncluded() {
    var parent = assemble(REQUEST, Parts.NONE, on(fixed("x", 0.5, "p/a", "p/b", "p/c")));
    for (int budget = 1; budget < 500; budget++) {
      var request = REQUEST.budget(budget).parent(parent);

      var context = assemble(request, Parts.NONE, on(fixed("x", 0.5, "a", "b", "c", "d", "e")));

      assertThat(context.totalTokens() + context.report().preambleTokens())
          .as("budget %d", budget)
          .isLessThanOrEqualTo(budget);
      assertThat(Made.WORDS.count(context.text()))
          .as("budget %d", budget)
          .isLessThanOrEqualTo(budget);
    }
  }

  @Test
  void keepsASkeletonOfTheParentsContext() {
    var parent = assemble(REQUEST, Parts.NONE, on(fixed("x", 0.5, "p/a")));

    var context = assemble(REQUEST.parent(parent), Parts.NONE, on(fixed("x", 0.5, "a")));

    assertThat(context.fragments())
        .extracting(ContextFragment::resource)
        .containsExactly("a", "p/a");
    assertThat(context.fragments().getLast().depth()).isEqualTo(Depth.SUMMARY);
    assertThat(context.report().pool()).isEqualTo(850);
    assertThat(context.budget()).isEqualTo(1_000);
  }

  @Test
  void asksTheKeywordSearch_whenAllHaveFoundNothing() {
    var context =
        assemble(
            REQUEST,
            Parts.NONE,
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
            Parts.NONE,
            on(fixed("x", 0.5)),
            on(fixed(ConfidentSelector.FALLBACK, 0.3, "a")));

    assertThat(context.fragments()).isEmpty();
    assertThat(context.preamble()).startsWith("Nothing was found.");
  }

  @Test
  void usesOtherParts_ifItIsGivenSome() {
    Orderer backwards = packed -> packed.reversed();
    Preamble silent = (report, most, tokens) -> "";

    var context =
        assemble(
            REQUEST,
            Parts.NONE.with(Orderer.class, backwards).with(Preamble.class, silent),
            on(fixed("x", 0.5, "a", "b")));

    assertThat(context.fragments()).extracting(ContextFragment::resource).containsExactly("b", "a");
    assertThat(context.preamble()).isEmpty();
    assertThat(context.report().preambleTokens()).isZero();
  }

  static Stream<Class<? extends Part>> everyPart() {
    return Stream.of(Part.class.getPermittedSubclasses()).map(one -> one.asSubclass(Part.class));
  }

  @ParameterizedTest
  @MethodSource("everyPart")
  void saysWhichPartBroke(Class<? extends Part> kind) {
    var request = REQUEST.parent(assemble(REQUEST, Parts.NONE, on(fixed("x", 0.5, "p/a"))));

    assertThatThrownBy(() -> assemble(request, broken(kind), on(fixed("x", 0.5, "a"))))
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(PartFailedException.class)
        .hasMessage(
            "the %s failed: java.lang.StackOverflowError: null".formatted(kind.getSimpleName()));
  }

  private static Parts broken(Class<? extends Part> kind) {
    var parts =
        Parts.NONE
            .with(StrategySelector.class, (request, known, backends) -> fail())
            .with(BudgetAllocator.class, (pool, chosen) -> fail())
            .with(StrategyExecutor.class, work -> fail())
            .with(Deduplicator.class, found -> fail())
            .with(DepthResolver.class, (found, pool, tokens) -> fail())
            .with(Scorer.class, (candidates, confidences) -> fail())
            .with(Packer.class, (scored, shares, pool, tokens) -> fail())
            .with(Orderer.class, packed -> fail())
            .with(Preamble.class, (report, most, tokens) -> fail())
            .with(SkeletonCompressor.class, (parent, most, tokens) -> fail());
    return only(kind, parts);
  }

  private static <P extends Part> Parts only(Class<P> kind, Parts parts) {
    return Parts.NONE.with(kind, parts.get(kind));
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
                    Parts.NONE.with(Orderer.class, packed -> null),
                    on(fixed("x", 0.5, "a"))))
        .cause()
        .hasMessage("the Orderer failed: java.lang.NullPointerException: it gave null");
  }

  @Test
  void refusesToGoOverTheBudget_whoeverPacks_whateverTheySay() {
    Packer greedy =
        (scored, shares, pool, tokens) ->
            new Sifted<>(
                List.of(new ContextFragment("a", "x", Depth.FULL, 1, 1, Made.words("a", pool - 4))),
                List.of());
    Orderer doubling = packed -> Stream.generate(packed::getFirst).limit(10).toList();
    Preamble endless = (report, most, tokens) -> "word ".repeat(most + 1);

    assertThatThrownBy(
            () ->
                assemble(REQUEST, Parts.NONE.with(Packer.class, greedy), on(fixed("x", 0.5, "a"))))
        .cause()
        .hasMessageMatching("the Packer failed: .*it took \\d+ tokens, and there are \\d+");
    assertThatThrownBy(
            () ->
                assemble(
                    REQUEST, Parts.NONE.with(Orderer.class, doubling), on(fixed("x", 0.5, "a"))))
        .cause()
        .hasMessageMatching("the Orderer failed: .*it took 1050 tokens, and there are \\d+");
    assertThatThrownBy(
            () ->
                assemble(
                    REQUEST, Parts.NONE.with(Preamble.class, endless), on(fixed("x", 0.5, "a"))))
        .cause()
        .hasMessageEndingWith("it took 101 tokens, and there are 100");
  }

  @Test
  void countsAgainWhatAPackerHasCounted() {
    Packer modest =
        (scored, shares, pool, tokens) ->
            new Sifted<>(
                List.of(new ContextFragment("a", "x", Depth.FULL, 1, 1, "one two")), List.of());

    var context =
        assemble(REQUEST, Parts.NONE.with(Packer.class, modest), on(fixed("x", 0.5, "a")));

    assertThat(context.totalTokens()).isEqualTo(Made.WORDS.count("== a (all of it) one two"));
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
    StrategyExecutor wrong = work -> runs;

    assertThatThrownBy(
            () ->
                assemble(
                    REQUEST,
                    Parts.NONE.with(StrategyExecutor.class, wrong),
                    on(fixed("x", 0.5, "a"))))
        .cause()
        .isInstanceOf(PartFailedException.class)
        .hasMessageStartingWith("the StrategyExecutor failed: " + why);
  }

  @Test
  void takesNoScoresThatAreNoNumbers() {
    Scorer lost =
        (candidates, confidences) ->
            candidates.stream()
                .map(one -> new Scorer.Scored(one, new Scorer.Score(Double.NaN, 1, 1, 1, 1)))
                .toList();

    assertThatThrownBy(
            () -> assemble(REQUEST, Parts.NONE.with(Scorer.class, lost), on(fixed("x", 0.5, "a"))))
        .cause()
        .hasMessage(
            "the Scorer failed: java.lang.IllegalArgumentException: total of a score must be a"
                + " number, was NaN");
  }

  @Test
  void remembersWhatWasKnown_whenAPartBreaks() {
    assertThatThrownBy(() -> assemble(REQUEST, broken(Scorer.class), on(fixed("x", 0.5, "a"))))
        .cause()
        .isInstanceOfSatisfying(
            PartFailedException.class,
            broken -> assertThat(broken.draft().confidences()).containsKey("x"));
  }

  private static Assembled assemble(ContextRequest request, Parts parts, Candidate... known) {
    var brief =
        new Brief(
            request,
            List.of(known),
            new EmptyView(false),
            Made.WORDS,
            new CancellationSource().token());
    return new Pipeline(parts.over(DefaultParts.with(AT_ONCE)), brief)
        .assemble()
        .runWith(Sink.head(), actors.system())
        .toCompletableFuture()
        .join();
  }

  private static StrategyRun run(BudgetAllocator.Share share) {
    var fragments = ((Made.Fixed) share.chosen().strategy()).fragments();
    var outcome = fragments.isEmpty() ? Outcome.NOTHING : Outcome.FOUND;
    return new StrategyRun(share, outcome, Duration.ofMillis(5), fragments, "");
  }

  private static Strategy fixed(String name, double confidence, String... resources) {
    return new Made.Fixed(
        name,
        confidence,
        Stream.of(resources)
            .map(one -> fragment(one, name, 0.5, Depth.NAME, Depth.OUTLINE, Depth.FULL))
            .toList());
  }
}
