package dev.handoff.internal.context.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancelledException;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.SearchDepth;
import dev.handoff.context.Strategy;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A built-in strategy")
class BuiltInStrategiesTest {

  private static final Set<ContextRequest.Backend> ALL =
      EnumSet.allOf(ContextRequest.Backend.class);

  private final HandView view =
      new HandView()
          .file(
              "src/main/shop/Till.java",
              "package shop; /// Holds money safely. \nclass Till { Coin coin; void open() {} }")
          .file("src/main/shop/Coin.java", "package shop; class Coin { int worth; }")
          .file("src/main/shop/Bell.java", "package shop; class Bell { void ring() {} }")
          .file("src/test/shop/TillTest.java", "package shop; class TillTest { Till till; }")
          .file(
              "docs/money.md",
              "# Where money is kept\n\nSee [the till](../src/main/shop/Till.java).")
          .file("docs/東京.md", "# 東京の鐘\n\n鐘 rings.")
          .commit(
              "Money is counted before a till closes", "src/main/shop/Till.java", "docs/money.md")
          .commit("Bells ring", "src/main/shop/Bell.java");

  private final StrategyBench bench = new StrategyBench(view);

  @Test
  void isOnByDefaultIfItNeedsNothingButFiles() {
    var on = ConfigFactory.defaultReference().getStringList("handoff.context.strategies");

    assertThat(on)
        .containsExactly(
            "simple-keyword",
            "semantic-embedding",
            "breadth-depth-navigator",
            "plan-decision-context");
    assertThat(names().filter(name -> !on.contains(name)))
        .containsExactly("arce", "temporal-archaeology");
  }

  /// Strategies that read files.
  static Stream<String> names() {
    return BuiltInStrategies.all().stream()
        .filter(one -> one.needs().contains(ContextRequest.Backend.FILES))
        .map(Strategy::name);
  }

  @ParameterizedTest
  @CsvSource({
    "simple-keyword, where is money, 0.3",
    "semantic-embedding, where is money, 0.6",
    "semantic-embedding, money, 0.3",
    "breadth-depth-navigator, where is money, 0.85",
    "breadth-depth-navigator, what is docs/money.md, 0.95",
    "arce, where is money, 0.95",
    "temporal-archaeology, where is money, 0.5"
  })
  void isAsConfidentAsTheRequestLetsIt(String name, String query, double confidence) {
    assertThat(StrategyBench.strategy(name).confidence(bench.request(query), ALL))
        .isEqualTo(confidence);
  }

  @ParameterizedTest
  @MethodSource("names")
  void expectsNothingOfARequestWithoutWordsOrOfAPlaceWithoutFiles(String name) {
    var strategy = StrategyBench.strategy(name);

    assertThat(strategy.confidence(bench.request(" ?!. "), ALL)).isZero();
    assertThat(strategy.confidence(bench.request("money"), Set.of())).isZero();
    assertThat(strategy.needs()).contains(ContextRequest.Backend.FILES);
  }

  @Test
  void thatReadsTheHistoryNeedsGit() {
    var strategy = StrategyBench.strategy("temporal-archaeology");

    assertThat(strategy.needs())
        .containsExactlyInAnyOrder(ContextRequest.Backend.FILES, ContextRequest.Backend.GIT);
    assertThat(
            strategy.confidence(bench.request("money"), EnumSet.of(ContextRequest.Backend.FILES)))
        .isZero();
  }

  @ParameterizedTest
  @MethodSource("names")
  void findsNothingWhereNothingMatches(String name) {
    assertThat(bench.gather(name, "zeppelin")).isEmpty();
    assertThat(new StrategyBench(new HandView()).gather(name, "money")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("names")
  void givesWhatItFindsAtEveryDepthTheMostRelevantFirst(String name) {
    var found = bench.gather(name, "how is the money in the till counted");

    assertThat(found).isNotEmpty();
    assertThat(found.getFirst().relevance()).isGreaterThan(0.4).isLessThanOrEqualTo(1);
    assertThat(found)
        .isSortedAccordingTo((one, other) -> Double.compare(other.relevance(), one.relevance()));
    assertThat(found).extracting(Fragment::resource).doesNotHaveDuplicates();
    assertThat(found)
        .allSatisfy(
            one -> {
              assertThat(one.strategy()).isEqualTo(name);
              assertThat(one.texts()).containsOnlyKeys(SearchDepth.values());
              assertThat(one.texts().get(SearchDepth.FULL))
                  .isEqualTo(view.texts().get(one.resource()));
              assertThat(one.modified()).isEqualTo(HandView.NOW);
              assertThat(one.because()).isNotEmpty();
            });
  }

  @ParameterizedTest
  @MethodSource("names")
  void givesTheSameForTheSame(String name) {
    assertThat(bench.gather(name, "money in the till, and bells"))
        .isEqualTo(bench.gather(name, "money in the till, and bells"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"simple-keyword", "semantic-embedding", "breadth-depth-navigator", "arce"})
  void findsTheOnlyFileThereIs(String name) {
    var alone = new StrategyBench(new HandView().file("only.md", "# Money\n"));

    var found = alone.gather(name, "money");

    assertThat(CalledStrategy.resources(found)).containsExactly("only.md");
    assertThat(found.getFirst().relevance()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple-keyword", "breadth-depth-navigator", "arce"})
  void readsWordsOfAnyScript(String name) {
    assertThat(bench.resources(name, "東京の鐘")).first().isEqualTo("docs/東京.md");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "simple-keyword",
        "semantic-embedding",
        "breadth-depth-navigator",
        "temporal-archaeology"
      })
  void stopsWhenItsCallIsCancelled(String name) {
    bench.stop().cancel(new Cancellation(Cancellation.Cause.TIMEOUT, "too slow", "test"));

    assertThatThrownBy(() -> bench.gather(name, "money")).isInstanceOf(CancelledException.class);
  }

  @Test
  void leavesOutTheFullTextOfWhatCannotFit() {
    var large = new HandView().file("large.md", "# Money\n\n" + "money ".repeat(1_000));
    var request = ContextRequest.of("money", Path.of("/hand")).budget(100);

    var found = new StrategyBench(large).gather(StrategyBench.strategy("simple-keyword"), request);

    assertThat(found.getFirst().texts())
        .doesNotContainKey(SearchDepth.FULL)
        .containsKey(SearchDepth.MATCHED);
  }

  @Test
  void saysWhichWordsItHasFound() {
    assertThat(bench.gather("simple-keyword", "the money in a till").getFirst().because())
        .isEqualTo("matches money, the, till");
  }

  @Test
  void givesAtMostThirty() {
    var many = new HandView();
    for (int number = 0; number < 100; number++) {
      many.file("money" + number + ".txt", "money");
    }

    assertThat(new StrategyBench(many).gather("simple-keyword", "money")).hasSize(30);
    assertThat(new StrategyBench(many).gather("breadth-depth-navigator", "money")).hasSize(30);
  }
}
