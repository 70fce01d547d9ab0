package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.handoff.context.WorkspaceView;
import dev.handoff.testing.RandomSeeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A search")
class IndexSearchTest {

  @TempDir Path root;

  private static List<String> paths(List<WorkspaceView.Hit> hits) {
    return hits.stream().map(WorkspaceView.Hit::path).toList();
  }

  @Test
  void thinksMoreOfNamesThanOfText() {
    IndexViews.write(root, "a.txt", "a lease is mentioned here, and then there is more to be said");
    IndexViews.write(
        root, "p/Lease.java", "package p;\nclass Other { int of; int more; int words; }");
    IndexViews.write(
        root, "p/Other.java", "package p;\nclass Lease { int of; int more; int words; }");

    try (var view = IndexViews.of(root)) {
      assertThat(paths(view.search("lease", 9)))
          .containsExactlyInAnyOrder("a.txt", "p/Lease.java", "p/Other.java")
          .last()
          .isEqualTo("a.txt");
    }
  }

  @Test
  void ordersEqualFilesByTheirPaths() {
    Stream.of("c", "a", "b/x", "b/a").forEach(name -> IndexViews.write(root, name, "equal words"));

    try (var view = IndexViews.of(root)) {
      assertThat(paths(view.search("words", 3))).isSubsetOf("a", "b/a", "b/x", "c");
      assertThat(paths(view.search("equal", 9))).containsExactly("a", "b/a", "b/x", "c");
      assertThat(paths(view.nearest("equal words", 9))).hasSize(4);
      assertThat(view.search("equal", 9)).isEqualTo(view.search("equal", 9));
    }
  }

  @Test
  void countsTheBestPassageOfAFile() {
    var filler = IntStream.range(0, 400).mapToObj(n -> "filler%d\n".formatted(n));
    IndexViews.write(root, "long.txt", filler.collect(Collectors.joining()) + "zebra stripes\n");
    IndexViews.write(root, "short.txt", "horses\n");

    try (var view = IndexViews.of(root)) {
      var hits = view.nearest("zebra stripes", 9);
      assertThat(paths(hits)).containsExactly("long.txt", "short.txt");
      assertThat(hits.getFirst().score()).isBetween(0.1, 1.0);
    }
  }

  static Stream<String> odd() {
    return Stream.of(
        "",
        " ",
        "\"",
        "\"open",
        "*",
        "a*b? ~2 AND (OR NOT) [a TO b] {x} ^3 field:value \\",
        "😀",
        "\uD800",
        "\uDC00x",
        "\0\0",
        "what is the of",
        "words ".repeat(10_000),
        IntStream.range(0, 10_000).mapToObj(n -> "word" + n).collect(Collectors.joining(" ")),
        "x".repeat(1_000_000));
  }

  @ParameterizedTest
  @MethodSource("odd")
  void takesAnyText(String query) {
    IndexViews.write(root, "a.txt", "some words, and word 7");

    try (var view = IndexViews.of(root)) {
      assertThatCode(
              () -> {
                view.search(query, 5);
                view.nearest(query, 5);
                view.terms(query);
              })
          .doesNotThrowAnyException();
    }
  }

  @Test
  void keepsTheRarestOfVeryManyWords() {
    for (int file = 0; file < 200; file++) {
      var words = IntStream.range(0, 200).filter(n -> n != 77).mapToObj(IndexSearchTest::word);
      IndexViews.write(root, "f%03d.txt".formatted(file), words.collect(Collectors.joining(" ")));
    }
    IndexViews.write(root, "rare.txt", word(77));

    try (var view = IndexViews.of(root)) {
      var all =
          IntStream.range(0, 200).mapToObj(IndexSearchTest::word).collect(Collectors.joining(" "));
      assertThat(paths(view.search(all, 1))).containsExactly("rare.txt");
    }
  }

  /// Distinct words of letters only.
  private static String word(int number) {
    return "q" + (char) ('b' + number / 20) + "z" + (char) ('b' + number % 20) + "k";
  }

  @Test
  void givesNothingForALimitOfNothing() {
    IndexViews.write(root, "a.txt", "words");

    try (var view = IndexViews.of(root)) {
      for (int limit : new int[] {0, -1, Integer.MIN_VALUE}) {
        assertThat(view.search("words", limit)).isEmpty();
        assertThat(view.nearest("words", limit)).isEmpty();
      }
      assertThat(view.search("words", Integer.MAX_VALUE)).hasSize(1);
      assertThat(view.nearest("words", Integer.MAX_VALUE)).hasSize(1);
      assertThat(view.search("nobodyhasthis", 5)).isEmpty();
    }
  }

  @Test
  void givesNothingInAnEmptyDirectory() {
    try (var view = IndexViews.of(root)) {
      assertThat(view.search("words", 5)).isEmpty();
      assertThat(view.nearest("words", 5)).isEmpty();
      assertThat(view.paths()).isEmpty();
      assertThat(view.file("a")).isEmpty();
      assertThat(view.references("a")).isEmpty();
      assertThat(view.commits(5)).isEmpty();
    }
  }

  /// Several threads build the index, in any order, with one segment or several.
  @Test
  void findsTheSameInTheSameOrderInAnyIndexOfTheSameFiles() throws IOException {
    for (int number = 0; number < 300; number++) {
      var text =
          "claim job worker".split(" ")[number % 3] + " lease ".repeat(number % 7) + number % 5;
      var file = IndexViews.write(root, "d%d/f%d.txt".formatted(number % 9, number), text);
      Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
    }
    var queries = List.of("claims", "lease of a worker", "job 3", "4");
    List<List<WorkspaceView.Hit>> expected;
    List<List<WorkspaceView.Hit>> near;
    try (var view = IndexViews.of(root)) {
      expected = queries.stream().map(query -> view.search(query, 40)).toList();
      near = queries.stream().map(query -> view.nearest(query, 40)).toList();
    }

    RandomSeeds.each(
        5,
        random -> {
          try (var view = IndexViews.of(root)) {
            assertThat(queries.stream().map(query -> view.search(query, 40)).toList())
                .isEqualTo(expected);
            assertThat(queries.stream().map(query -> view.nearest(query, 40)).toList())
                .isEqualTo(near);
          }
        });
  }

  /// The weight of a word depends on the number of files that contain it, and on their lengths.
  @Test
  void findsTheSameHoweverOftenItsFilesHaveChanged() throws IOException {
    RandomSeeds.each(
        3,
        random -> {
          IntStream.range(0, 60).forEach(file -> write(file, random));
          var sources = IndexViews.sources(IndexViews.real(root));
          var old = WorkspaceIndex.open(sources, null);
          for (int round = 0; round < 6; round++) {
            IndexViews.refresh(old);
            IntStream.range(0, 5).forEach(any -> write(random.nextInt(60), random));
          }
          try (var changed = IndexViews.view(sources, IndexViews.refresh(old).snapshot());
              var anew = IndexViews.of(sources)) {
            assertThat(old.snapshot().reader().numDeletedDocs()).isPositive();
            for (int first = 0; first < 30; first++) {
              var query =
                  "word%s word%s word%s".formatted(letters(first), letters(first + 7), "zz");
              assertThat(changed.search(query, 60)).isEqualTo(anew.search(query, 60));
            }
          } finally {
            IndexViews.close(old);
          }
        });
  }

  private void write(int file, Random random) {
    var words =
        IntStream.range(0, 20 + random.nextInt(80))
            .mapToObj(any -> "word" + letters((int) (40 * Math.pow(random.nextDouble(), 2))));
    IndexViews.write(root, file + ".txt", words.collect(Collectors.joining(" ")));
  }

  private static String letters(int number) {
    return "" + (char) ('a' + number / 26) + (char) ('a' + number % 26);
  }
}
