package dev.handoff.internal.plan.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.RandomSeeds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A merge")
class TextMergeTest {

  private static final String BASE = "a\nb\nc\nd\ne\nf\n";

  @Test
  void ofChangesInDifferentPlacesHasBoth() {
    assertThat(merged(BASE, "A\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\ne\nF\n"))
        .contains("A\nb\nc\nd\ne\nF\n");
    assertThat(merged(BASE, "x\n" + BASE, BASE + "y\n")).contains("x\n" + BASE + "y\n");
    assertThat(merged(BASE, "a\nc\nd\ne\nf\n", "a\nb\nc\nd\ne\nnew\nf\n"))
        .contains("a\nc\nd\ne\nnew\nf\n");
  }

  @Test
  void ofTheSameChangeOnBothSidesHasItOnce() {
    assertThat(merged(BASE, "a\nB\nc\nd\ne\nf\n", "a\nB\nc\nd\ne\nf\n"))
        .contains("a\nB\nc\nd\ne\nf\n");
    assertThat(merged(BASE, "a\nB\nc\nd\ne\nf\n", "a\nB\nc\nd\ne\nF\n"))
        .contains("a\nB\nc\nd\ne\nF\n");
  }

  @Test
  void withOneSideUnchangedIsTheOther() {
    assertThat(merged(BASE, BASE, "x\n")).contains("x\n");
    assertThat(merged(BASE, "x\n", BASE)).contains("x\n");
    assertThat(merged("", "", "x")).contains("x");
  }

  @Test
  void ofChangesThatTouchIsAConflict() {
    assertThat(merged(BASE, "a\nB\nc\nd\ne\nf\n", "a\nb2\nc\nd\ne\nf\n")).isEmpty();
    assertThat(merged(BASE, "a\nB\nc\nd\ne\nf\n", "a\nb\nC\nd\ne\nf\n")).isEmpty();
    assertThat(merged(BASE, BASE + "x\n", BASE + "y\n")).isEmpty();
    assertThat(merged(BASE, "", "a\nb\nC\nd\ne\nf\n")).isEmpty();
  }

  @Test
  void knowsALastLineWithoutItsLineFeed() {
    assertThat(merged("a\nb\nc\nd", "A\nb\nc\nd", "a\nb\nc\nd\n")).contains("A\nb\nc\nd\n");
    assertThat(merged("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nd")).contains("A\nb\nc\nd");
    assertThat(merged("a\nb\nc\nd", "a\nb\nc\nD", "a\nb\nc\nd\n")).isEmpty();
  }

  @Test
  void keepsTheLineEndsOfWindows() {
    assertThat(merged("a\r\nb\r\nc\r\nd\r\n", "A\r\nb\r\nc\r\nd\r\n", "a\r\nb\r\nc\r\nD\r\n"))
        .contains("A\r\nb\r\nc\r\nD\r\n");
    assertThat(merged("a\nb\nc\n", "a\r\nb\r\nc\r\n", "a\nb\nC\n")).isEmpty();
  }

  @Test
  void isTheOneOfGit(@TempDir Path directory) {
    DiffPrograms.assumePresent("git");
    var conflicts = new AtomicInteger();

    RandomSeeds.each(
        1_000,
        random -> {
          var sides = sides(random);
          write(directory, sides);

          var git =
              DiffPrograms.run(
                  directory, "git", "merge-file", "-p", "-q", "ours", "base", "theirs");

          var merged = merged(sides[0], sides[1], sides[2]);
          assertThat(merged.isEmpty()).as("in conflict").isEqualTo(git.code() != 0);
          merged.ifPresentOrElse(
              text -> assertThat(text).isEqualTo(git.text()), conflicts::incrementAndGet);
        });

    if (System.getProperty("handoff.seed") == null) {
      assertThat(conflicts).hasValueBetween(100, 900);
    }
  }

  private static String[] sides(Random random) {
    var texts = new RandomText(random, random.nextBoolean() ? 0 : 20 + random.nextInt(200));
    var base = texts.text(random.nextInt(60));
    var ours = texts.edited(base, 1 + random.nextInt(3));
    var theirs = texts.edited(base, 1 + random.nextInt(3));
    return new String[] {base, texts.cut(ours), texts.cut(theirs)};
  }

  private static void write(Path directory, String[] sides) throws Exception {
    Files.writeString(directory.resolve("base"), sides[0]);
    Files.writeString(directory.resolve("ours"), sides[1]);
    Files.writeString(directory.resolve("theirs"), sides[2]);
  }

  private static Optional<String> merged(String base, String ours, String theirs) {
    return TextMerge.of(bytes(base), bytes(ours), bytes(theirs))
        .map(merged -> new String(merged, StandardCharsets.UTF_8));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
