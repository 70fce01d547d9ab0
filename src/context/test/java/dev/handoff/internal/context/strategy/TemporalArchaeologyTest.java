package dev.handoff.internal.context.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.Fragment;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Archaeology")
class TemporalArchaeologyTest {

  private static final String NAME = "temporal-archaeology";

  private final HandView view =
      new HandView()
          .file("Till.java", "class Till {}")
          .file("Lid.java", "class Lid {}")
          .file("Bell.java", "class Bell {}");

  private final StrategyBench bench = new StrategyBench(view);

  @Test
  void findsTheFilesOfCommitsThatAreAboutTheRequest() {
    view.commit("Shutters open by themselves\n\nLong story.", "Lid.java")
        .commit("A bell rings", "Bell.java");

    var found = bench.gather(NAME, "why do shutters open");

    assertThat(CalledStrategy.resources(found)).containsExactly("Lid.java");
    assertThat(found.getFirst().because()).isEqualTo("changed by \"Shutters open by themselves\"");
  }

  @Test
  void findsWhatWasChangedTogetherWithWhatMatches() {
    view.commit("Things", "Till.java", "Lid.java").commit("More", "Bell.java");

    var found = bench.gather(NAME, "till");

    assertThat(CalledStrategy.resources(found)).containsExactly("Lid.java");
    assertThat(found.getFirst().because()).isEqualTo("changed together with Till.java");
  }

  @Test
  void thinksLessOfWhatIsLongAgo() {
    view.commit("Shutters open", "Lid.java").commit("Shutters open", "Bell.java");

    assertThat(bench.resources(NAME, "shutters open")).containsExactly("Lid.java", "Bell.java");
  }

  @Test
  void leavesOutWhatIsNotThereAnyMore() {
    view.commit("Shutters open", "Lid.java", "Gone.java");

    assertThat(bench.resources(NAME, "shutters open")).containsExactly("Lid.java");
  }

  @Test
  void learnsNothingFromCommitsOfVeryManyFiles() {
    var many = IntStream.range(0, 100).mapToObj(number -> "f" + number).toArray(String[]::new);
    many[0] = "Lid.java";
    view.commit("Shutters open", many);

    assertThat(bench.resources(NAME, "shutters open")).isEmpty();
  }

  @Test
  void shortensAMessageWithoutEnd() {
    view.commit("Shutters open " + "again ".repeat(50), "Lid.java").commit("", "Bell.java");

    assertThat(bench.gather(NAME, "shutters open"))
        .extracting(Fragment::because)
        .allSatisfy(because -> assertThat(because).hasSizeLessThan(100).endsWith("…\""));
  }

  @Test
  void givesThemInTheSameOrderEachTime() {
    view.commit("Shutters open", "Lid.java", "Bell.java", "Till.java");

    assertThat(
            List.of(bench.resources(NAME, "shutters open"), bench.resources(NAME, "open shutters")))
        .containsOnly(List.of("Bell.java", "Lid.java", "Till.java"));
  }
}
