package dev.handoff.internal.plan.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("The lines that differ")
class LineDiffTest {

  @Property(tries = 3_000)
  @Label("make the one text of the other, and are as few as there can be")
  void areRightAndFew(@ForAll("texts") String before, @ForAll("texts") String after) {
    var diff = LineDiff.of(lines(before), lines(after));

    assertThat(applied(diff, before, after)).isEqualTo(after);
    int kept = lines(before).size() - diff.blocks().stream().mapToInt(LineBlock::removed).sum();
    assertThat(kept).isEqualTo(longestCommon(before, after));
    assertThat(diff.coarse()).isFalse();
  }

  @Property(tries = 1_000)
  @Label("are right, too, where there is no time to find the fewest")
  void areRightIfCoarse(@ForAll("texts") String before, @ForAll("texts") String after) {
    var diff = LineDiff.of(lines(before), lines(after), 5, 1);

    assertThat(applied(diff, before, after)).isEqualTo(after);
  }

  @Property(tries = 1_000)
  @Label("stand apart from each other")
  void standApart(@ForAll("texts") String before, @ForAll("texts") String after) {
    var blocks = LineDiff.of(lines(before), lines(after)).blocks();

    for (int i = 1; i < blocks.size(); i++) {
      assertThat(blocks.get(i).from()).isGreaterThan(blocks.get(i - 1).to());
    }
  }

  @Example
  void isNotLookedForBetweenMillionsOfLines() {
    int half = LineDiff.MOST_LINES / 2;
    var many = "\n".repeat(half);

    assertThat(LineDiff.of(lines(many + "a\n" + many), lines(many + "b\nc\n" + many)))
        .isEqualTo(new LineDiff(List.of(new LineBlock(half, half + 1, half, half + 2)), true));
    assertThat(LineDiff.of(lines(many + "\n"), lines(many)))
        .isEqualTo(new LineDiff(List.of(new LineBlock(half, half + 1, half, half)), true));
    assertThat(LineDiff.of(lines(many), lines(many))).isEqualTo(new LineDiff(List.of(), false));
  }

  @Example
  @Label("begin as late as they can, so that a function added is a function shown")
  void areWherePeopleLookForThem() {
    var one = "f {\n  1\n}\n\n";
    var two = "g {\n  2\n}\n\n";

    assertThat(LineDiff.of(lines(one + two), lines(one + one + two)).blocks())
        .containsExactly(new LineBlock(4, 4, 4, 8));
    assertThat(LineDiff.of(lines("a\na\nb\n"), lines("a\na\na\nc\n")).blocks())
        .containsExactly(new LineBlock(2, 3, 2, 4));
  }

  @Example
  @Label("are found at once where all lines are new")
  void areFoundAtOnceWhereAllIsNew() {
    var before = new StringBuilder();
    var after = new StringBuilder();
    for (int i = 0; i < 200_000; i++) {
      before.append("before ").append(i).append('\n');
      after.append("after ").append(i).append('\n');
    }

    var diff = LineDiff.of(lines(before.toString()), lines(after.toString()));

    assertThat(diff).isEqualTo(new LineDiff(List.of(new LineBlock(0, 200_000, 0, 200_000)), false));
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of("a\n", "b\n", "c\n", "\n", "a", "d d\n", "\u00e4\r\n")
        .list()
        .ofMaxSize(25)
        .map(lines -> String.join("", lines));
  }

  private static TextLines lines(String text) {
    return new TextLines(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String applied(LineDiff diff, String before, String after) {
    var old = split(before);
    var fresh = split(after);
    var result = new StringBuilder();
    int line = 0;
    for (var block : diff.blocks()) {
      old.subList(line, block.from()).forEach(result::append);
      fresh.subList(block.newFrom(), block.newTo()).forEach(result::append);
      line = block.to();
    }
    old.subList(line, old.size()).forEach(result::append);
    return result.toString();
  }

  private static int longestCommon(String before, String after) {
    var old = split(before);
    var fresh = split(after);
    var longest = new int[old.size() + 1][fresh.size() + 1];
    for (int i = 1; i <= old.size(); i++) {
      for (int j = 1; j <= fresh.size(); j++) {
        longest[i][j] =
            old.get(i - 1).equals(fresh.get(j - 1))
                ? longest[i - 1][j - 1] + 1
                : Math.max(longest[i - 1][j], longest[i][j - 1]);
      }
    }
    return longest[old.size()][fresh.size()];
  }

  private static List<String> split(String text) {
    var lines = new ArrayList<String>();
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\n' || i == text.length() - 1) {
        lines.add(text.substring(from, i + 1));
        from = i + 1;
      }
    }
    return lines;
  }
}
