package dev.handoff.internal.context.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.Fragment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The navigator")
class BreadthDepthNavigatorTest {

  private static final String NAME = "breadth-depth-navigator";

  private final HandView view =
      new HandView()
          .file("a/Till.java", "package a; /// Counts money. \nclass Till { Drawer drawer; }")
          .file("a/Drawer.java", "package a; class Drawer { Spring spring; }")
          .file("a/Spring.java", "package a; class Spring {}")
          .file("a/Shop.java", "package a; class Shop { Till till; }")
          .file("a/Cloud.java", "package a; class Cloud {}");

  private final StrategyBench bench = new StrategyBench(view);

  @Test
  void goesOnToWhatAFileRefersToAndToWhatRefersToIt() {
    var found = bench.gather(NAME, "money");

    assertThat(CalledStrategy.resources(found)).startsWith("a/Till.java").contains("a/Drawer.java");
    assertThat(CalledStrategy.resources(found))
        .contains("a/Shop.java")
        .doesNotContain("a/Cloud.java");
    assertThat(because(found, "a/Till.java")).isEqualTo("matches money");
    assertThat(because(found, "a/Drawer.java")).isEqualTo("Till.java refers to it");
    assertThat(because(found, "a/Shop.java")).isEqualTo("refers to Till.java");
  }

  @Test
  void thinksLessOfWhatIsFurtherAway() {
    assertThat(CalledStrategy.resources(bench.gather(NAME, "money")))
        .containsSubsequence("a/Till.java", "a/Drawer.java", "a/Spring.java");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "what is Drawer.java for",
        "explain a/Drawer.java.",
        "a.Drawer please",
        "look at `a/Drawer.java`"
      })
  void beginsWithWhatIsNamed(String query) {
    var found = bench.gather(NAME, query);

    assertThat(found.getFirst().resource()).isEqualTo("a/Drawer.java");
    assertThat(found.getFirst().because()).isEqualTo("is named in the request");
    assertThat(found.getFirst().relevance()).isEqualTo(1);
  }

  @Test
  void findsATypeByItsNameWhateverItsFileIsCalled() {
    var view =
        new HandView()
            .file("a/Things.java", "package a; class CoinBox {} class BellRope {}")
            .file("a/Other.java", "package a; class Other {}");

    var found = new StrategyBench(view).gather(NAME, "CoinBox");

    assertThat(found.getFirst().resource()).isEqualTo("a/Things.java");
    assertThat(found.getFirst().because()).isEqualTo("is named in the request");
  }

  @Test
  void takesANameThatManyFilesHaveForNoName() {
    var many = new HandView();
    for (int number = 0; number < 9; number++) {
      many.file("m" + number + "/package-info.java", "package m" + number + ";");
    }

    assertThat(new StrategyBench(many).gather(NAME, "package-info.java"))
        .extracting(Fragment::because)
        .doesNotContain("is named in the request");
  }

  @Test
  void trustsItselfLessWhereFewOfTheWordsAreFound() {
    var whole = bench.gather(NAME, "counts money").getFirst();
    var half = bench.gather(NAME, "counts money zeppelin iceberg").getFirst();

    assertThat(whole.relevance()).isEqualTo(1);
    assertThat(half.relevance()).isLessThan(0.8);
  }

  @Test
  void isNotLedRoundInCircles() {
    var circle =
        new HandView()
            .file("A.java", "package c; class Aa { Bb money; }")
            .file("B.java", "package c; class Bb { Aa a; }");

    assertThat(new StrategyBench(circle).resources(NAME, "money"))
        .containsExactly("A.java", "B.java");
  }

  private static String because(java.util.List<Fragment> found, String resource) {
    return found.stream()
        .filter(one -> one.resource().equals(resource))
        .map(Fragment::because)
        .findFirst()
        .orElse("");
  }
}
