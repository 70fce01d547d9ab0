package dev.handoff.internal.plan.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.RandomSeeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A diff of random texts")
class DiffProgramsTest {

  private static final List<String> NAMES =
      List.of(
          "a.txt",
          "with space.txt",
          "d/deep er/x y",
          "\u00fcml\u00e4ut/\u65e5\u672c.md",
          "quo\"te",
          "d/--- a",
          "2026-11-19 00:00:00.000000000 +0000",
          "diff --git a",
          "emoji \uD83D\uDE00");

  @TempDir Path temp;

  @Test
  void isAppliedByGit() {
    DiffPrograms.assumePresent("git");

    appliedBy("git", "apply", "--whitespace=nowarn", "../patch");
  }

  @Test
  void isAppliedByPatch() {
    DiffPrograms.assumePresent("patch");

    appliedBy("patch", "-p1", "--batch", "--no-backup-if-mismatch", "-i", "../patch");
  }

  @Test
  void hasTheHunksOfGit() {
    DiffPrograms.assumePresent("git");

    RandomSeeds.each(
        1_000,
        random -> {
          var texts = new RandomText(random, random.nextBoolean() ? 0 : 20 + random.nextInt(200));
          var before = texts.text(random.nextInt(60));
          var after = texts.cut(texts.edited(before, 1 + random.nextInt(3)));
          Files.writeString(temp.resolve("before"), before);
          Files.writeString(temp.resolve("after"), after);

          // Without its guess of which of equal places people like best.
          var git =
              DiffPrograms.run(
                  temp,
                  "git",
                  "diff",
                  "--no-index",
                  "--no-indent-heuristic",
                  "-U0",
                  "before",
                  "after");

          assertThat(hunks(before, after)).isEqualTo(hunks(git.text()));
        });
  }

  private static List<String> hunks(String before, String after) {
    return LineDiff.of(lines(before), lines(after)).blocks().stream()
        .map(
            block ->
                "@@ -%s +%s @@"
                    .formatted(
                        range(block.from(), block.to()), range(block.newFrom(), block.newTo())))
        .toList();
  }

  /// Heads of hunks, without the line that git shows behind them.
  private static List<String> hunks(String diff) {
    return diff.lines()
        .filter(line -> line.startsWith("@@ -"))
        .map(line -> line.substring(0, line.indexOf(" @@") + 3))
        .toList();
  }

  private static String range(int from, int to) {
    int start = to == from ? from : from + 1;
    return to - from == 1 ? String.valueOf(start) : start + "," + (to - from);
  }

  private static TextLines lines(String text) {
    return new TextLines(text.getBytes(StandardCharsets.UTF_8));
  }

  private void appliedBy(String... command) {
    RandomSeeds.each(
        100,
        random -> {
          var directory = Files.createTempDirectory(temp, "tree");
          var root = Files.createDirectory(directory.resolve("root"));
          var contents = new MapContents();
          var before = new TreeMap<String, String>();
          var after = new TreeMap<String, String>();
          var files = files(random, contents, before, after);
          write(root, before);
          try (var patch = Files.newBufferedWriter(directory.resolve("patch"))) {
            Diff.write(files, contents, patch);
          }

          var ran = DiffPrograms.run(root, command);

          assertThat(ran.code()).as(Arrays.toString(command) + ": " + ran.text()).isZero();
          var written = read(root);
          assertThat(written.keySet()).as(ran.text()).isEqualTo(after.keySet());
          assertThat(written).isEqualTo(after);
        });
  }

  private static List<FileEdit> files(
      Random random,
      MapContents contents,
      Map<String, String> befores,
      Map<String, String> afters) {
    var files = new ArrayList<FileEdit>();
    for (var name : NAMES) {
      var texts = new RandomText(random, 1 + random.nextInt(60));
      var before =
          random.nextInt(6) == 0 ? null : texts.text(random.nextInt(3) * random.nextInt(30));
      var after = after(random, texts, before);
      before = before == null ? null : texts.form(before);
      after = after == null ? null : texts.form(after);
      if (before != null) {
        befores.put(name, before);
      }
      if (after != null) {
        afters.put(name, after);
      }
      if (before == null ? after != null : !before.equals(after)) {
        files.add(new FileEdit(name, contents.put(before), contents.put(after)));
      }
    }
    files.add(new FileEdit("z.bin", contents.put("a\0b"), contents.put("\0")));
    return files;
  }

  private static String after(Random random, RandomText texts, String before) {
    return switch (random.nextInt(8)) {
      case 0 -> before == null ? "" : null;
      case 1 -> "";
      case 2 -> texts.text(random.nextInt(40));
      default -> texts.edited(before == null ? "" : before, 1 + random.nextInt(4));
    };
  }

  private static void write(Path root, Map<String, String> files) throws IOException {
    for (var file : files.entrySet()) {
      var path = root.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue().getBytes(StandardCharsets.UTF_8));
    }
  }

  private static Map<String, String> read(Path root) throws IOException {
    var files = new TreeMap<String, String>();
    try (var all = Files.walk(root)) {
      for (var path : all.filter(Files::isRegularFile).toList()) {
        files.put(
            root.relativize(path).toString(),
            new String(Files.readAllBytes(path), StandardCharsets.UTF_8));
      }
    }
    return files;
  }
}
