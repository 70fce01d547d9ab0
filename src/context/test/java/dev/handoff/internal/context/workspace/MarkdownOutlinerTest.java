package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.SearchDepth;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A Markdown file")
class MarkdownOutlinerTest {

  private static final String BREAD =
      """
      # How to bake bread #

      It takes a day. See [the oven](tools/oven.md#heat) and [others][1].

      ```sh
      # not a heading
      ```

      Dough
      -----
      Mix `Flour` and `water.Cold` as in `recipes/dough.txt`, then `wait`.

      ## Oven
      | degrees | minutes |
      |---|---|
      | 230 | 40 |

      [1]: ../other/bread.md "Other"
      [web]: https://example.org
      """;

  @Test
  void isSummedUpByItsTitleAndFirstSentence() {
    assertThat(OutlineSamples.at(SearchDepth.SUMMARY, "bread.md", BREAD, ""))
        .isEqualTo("bread.md: How to bake bread. It takes a day.");
  }

  @Test
  void hasAnOutlineOfHeadings() {
    assertThat(OutlineSamples.outline("bread.md", BREAD))
        .isEqualTo(
            """
            # How to bake bread
            It takes a day.
            ## Dough
            Mix `Flour` and `water.Cold` as in `recipes/dough.txt`, then `wait`.
            ## Oven\
            """);
  }

  @Test
  void showsTheChaptersThatMatchBest() {
    assertThat(OutlineSamples.at(SearchDepth.MATCHED, "bread.md", BREAD, "minutes in degrees"))
        .startsWith("# How to bake bread\nIt takes a day.\n## Dough\nMix")
        .contains("## Oven\n| degrees | minutes |\n|---|---|\n| 230 | 40 |");
  }

  @Test
  void definesItsPathAndItsTitle() {
    assertThat(FileOutliners.of("docs/bread.md", BREAD).defines())
        .containsExactlyInAnyOrder("docs/bread.md", "bread.md", "How to bake bread");
  }

  @Test
  void whoseTitleIsOneWordDoesNotDefineAType() {
    assertThat(FileOutliners.of("README.md", "# Handoff\n").defines()).containsExactly("README.md");
  }

  @Test
  void mentionsWhatItLinksToAndTheNamesInItsCode() {
    assertThat(FileOutliners.of("bread.md", BREAD).mentions())
        .containsExactlyInAnyOrder(
            "tools/oven.md", "../other/bread.md", "Flour", "water.Cold", "recipes/dough.txt");
  }

  @Test
  void withoutHeadingsIsPlainText() {
    assertThat(OutlineSamples.at(SearchDepth.SUMMARY, "a.md", "Only this. And that.\n", ""))
        .isEqualTo("a.md: Only this.");
  }

  @Test
  void mayHaveAByteOrderMarkAndLinesThatEndAsOnWindows() {
    assertThat(OutlineSamples.outline("a.markdown", "\uFEFF# Über\r\n\r\nText.\r\n===\r\n"))
        .startsWith("# Über");
  }

  @Test
  void hasNoHeadingsInItsSettings() {
    var page = "---\ntitle: A page\nlayout: post\n---\n\n# Bread\nIt is baked.\n";

    assertThat(OutlineSamples.outline("a.md", page)).isEqualTo("# Bread\nIt is baked.");
    assertThat(OutlineSamples.at(SearchDepth.SUMMARY, "a.md", page, ""))
        .isEqualTo("a.md: Bread. It is baked.");
  }

  @Test
  void mayBeginWithALineOfDashesThatIsNoSetting() {
    assertThat(OutlineSamples.outline("a.md", "---\n\n# Bread\n\n---\n# Butter\n"))
        .isEqualTo("# Bread\n# Butter");
    assertThat(OutlineSamples.outline("a.md", "---\n# Bread\n")).isEqualTo("# Bread");
    assertThat(OutlineSamples.outline("a.md", "---\n# Bread\n\n----\n")).isEqualTo("# Bread");
  }

  @Test
  void hasNoHeadingsInCodeHoweverItIsMarked() {
    var page =
        """
        # One
        ````md
        ```sh
        # in code
        ```
        # still in code
        ````
        ## Two
        ~~~
        ```
        # in code
        ~~~~
        ## Three
        ```text
        ``` is not the end
        # in code
        ```
        ```this``` is within a line.
        ## Four

            # in code that is indented
        \t# and so is this

        ## Five
        """;

    assertThat(OutlineSamples.outline("a.md", page).lines().filter(line -> line.startsWith("#")))
        .containsExactly("# One", "## Two", "## Three", "## Four", "## Five");
  }

  @Test
  void hasHeadingsWithSignsThatAreTheirOwn() {
    assertThat(OutlineSamples.outline("a.md", "# C# and F#\n## Closed ##\n### #\n"))
        .isEqualTo("# C# and F#\n## Closed");
  }

  @Test
  void mayEndItsSentencesAsChineseDoes() {
    assertThat(OutlineSamples.at(SearchDepth.SUMMARY, "a.md", "# 鐘 和 塔\n\n第一。第二。\n", ""))
        .isEqualTo("a.md: 鐘 和 塔. 第一。");
  }

  @Test
  void mayShortenWords() {
    assertThat(
            OutlineSamples.at(
                SearchDepth.SUMMARY, "a.md", "# A b\n\nTakes e.g. coins. And notes.\n", ""))
        .isEqualTo("a.md: A b. Takes e.g. coins.");
  }
}
