package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.SearchDepth;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A file of any other kind")
class PlainOutlinerTest {

  private static final String CONFIGURATION =
      """
      # All settings. Read once.

      shop {
        # How many may wait. More are sent away.
        most-waiting = 20
        doors = 2

        till {
          file = "data/till.db"
        }
      }
      """;

  @Test
  void isSummedUpByTheCommentThatItBeginsWith() {
    assertThat(OutlineSamples.at(SearchDepth.SUMMARY, "shop.conf", CONFIGURATION, ""))
        .isEqualTo("shop.conf: All settings.");
  }

  @Test
  void isSummedUpByItsFirstLineIfThereIsNoComment() {
    assertThat(OutlineSamples.at(SearchDepth.SUMMARY, "run", "#!/bin/sh\nset -e\n", ""))
        .isEqualTo("run: set -e");
    assertThat(OutlineSamples.at(SearchDepth.SUMMARY, "empty", "", "")).isEqualTo("empty");
  }

  @Test
  void hasAnOutlineOfItsFirstLinesAndOfWhatIsExplainedOrHoldsSomething() {
    assertThat(OutlineSamples.outline("shop.conf", CONFIGURATION))
        .isEqualTo(
            """
            # All settings. Read once.
            shop {
              # How many may wait.
              most-waiting = 20
              till {\
            """);
  }

  @Test
  void showsTheBlocksThatMatchBest() {
    assertThat(
            OutlineSamples.at(
                SearchDepth.MATCHED, "shop.conf", CONFIGURATION, "who is waiting, sent away"))
        .isEqualTo(
            """
            # All settings. Read once.
            shop {
              # How many may wait. More are sent away.
              most-waiting = 20
              doors = 2
              till {\
            """);
  }

  @Test
  void mayBeAProgramInAnotherLanguage() {
    var python =
        """
        import os

        class Shop(Base):
            \"\"\"A shop.\"\"\"
            def open(self):
                return os.path.join("a", "b.txt")

        def main():
            Shop().open()
        """;

    assertThat(OutlineSamples.outline("shop.py", python))
        .isEqualTo("import os\nclass Shop(Base):\n    def open(self):\ndef main():");
    assertThat(FileOutliners.of("shop.py", python).mentions()).contains("b.txt");
  }

  @Test
  void mentionsPaths() {
    assertThat(
            FileOutliners.of("run", "cp src/main/a.txt /tmp/x ../y/z.md https://a.b/c").mentions())
        .contains("src/main/a.txt", "../y/z.md");
  }

  @Test
  void isNamedByItsPathAndItsName() {
    assertThat(FileOutliners.of("a/b/run", "").defines())
        .containsExactlyInAnyOrder("a/b/run", "run");
    assertThat(FileOutliners.of("run", "").defines()).containsExactly("run");
  }

  @Test
  void hasABoundedOutlineHoweverManyLinesItHas() {
    assertThat(
            OutlineSamples.outline("data.properties", "key.of.something = value\n".repeat(100_000)))
        .hasSizeLessThan(13_000);
  }
}
