package dev.handoff.internal.plan.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.handoff.plan.DiffReport;
import dev.handoff.plan.FileDiff;
import dev.handoff.plan.UnreadableChanges;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A diff")
class DiffTest {

  private final MapContents contents = new MapContents();

  @Test
  void showsTheChangedLinesWithThreeAround() throws IOException {
    var diff = diff(file("d/x.txt", "1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nfive\n6\n7\n8\n"));

    assertThat(diff)
        .isEqualTo(
            """
            diff --git a/d/x.txt b/d/x.txt
            --- a/d/x.txt
            +++ b/d/x.txt
            @@ -2,7 +2,7 @@
             2
             3
             4
            -5
            +five
             6
             7
             8
            """);
  }

  @Test
  void showsChangesThatAreFarApartInHunksOfTheirOwn() throws IOException {
    var lines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

    var near =
        diff(
            file(
                "x",
                "a\n" + lines.substring(0, 12) + "b\n",
                "A\n" + lines.substring(0, 12) + "B\n"));
    var far = diff(file("x", "a\n" + lines + "b\n", "A\n" + lines + "B\n"));

    assertThat(near.lines().filter(line -> line.startsWith("@@")))
        .containsExactly("@@ -1,8 +1,8 @@");
    assertThat(far.lines().filter(line -> line.startsWith("@@")))
        .containsExactly("@@ -1,4 +1,4 @@", "@@ -9,4 +9,4 @@");
  }

  @Test
  void showsFilesThatComeAndGo() throws IOException {
    assertThat(diff(file("new", null, "1\n2\n"), file("old", "1\n", null)))
        .isEqualTo(
            """
            diff --git a/new b/new
            new file mode 100644
            --- /dev/null
            +++ b/new
            @@ -0,0 +1,2 @@
            +1
            +2
            diff --git a/old b/old
            deleted file mode 100644
            --- a/old
            +++ /dev/null
            @@ -1 +0,0 @@
            -1
            """);
  }

  @Test
  void showsEmptyFilesThatComeAndGo() throws IOException {
    assertThat(diff(file("new", null, ""), file("old", "", null)))
        .isEqualTo(
            """
            diff --git a/new b/new
            new file mode 100644
            index 0000000..e69de29
            diff --git a/old b/old
            deleted file mode 100644
            index e69de29..0000000
            """);
  }

  @Test
  void saysWhereALastLineHasNoLineFeed() throws IOException {
    assertThat(diff(file("x", "1\n2", "1\n2\n")))
        .endsWith(
            """
            @@ -1,2 +1,2 @@
             1
            -2
            \\ No newline at end of file
            +2
            """);
    assertThat(diff(file("x", "1\n2", "one\n2")))
        .endsWith(
            """
            @@ -1,2 +1,2 @@
            -1
            +one
             2
            \\ No newline at end of file
            """);
  }

  @Test
  void keepsTheLineEndsOfWindows() throws IOException {
    assertThat(diff(file("x", "1\r\n", "1\n"))).endsWith("@@ -1 +1 @@\n-1\r\n+1\n");
  }

  @Test
  void tellsBinaryContentsBySizeAndHash() throws IOException {
    var before = new byte[] {1, 0, 2};
    var notUtf8 = new byte[] {'a', (byte) 0xff};
    var files =
        List.of(
            new FileEdit("x.bin", contents.put(before), contents.put("text")),
            new FileEdit("y.bin", null, contents.put(notUtf8)));

    var text = new StringBuilder();
    var report = Diff.write(files, contents, text);

    assertThat(text)
        .hasToString(
            "Binary files a/x.bin (3 bytes, sha256 %s) and b/x.bin (4 bytes, sha256 %s)%n"
                    .formatted(ChainHash.of(before), ChainHash.of(bytes("text")))
                + "Binary files /dev/null and b/y.bin (2 bytes, sha256 %s)%n"
                    .formatted(ChainHash.of(notUtf8)));
    assertThat(report.files()).allMatch(FileDiff::binary);
    assertThat(report.counts()).isEqualTo(new DiffReport.Counts(1, 1, 0, 0, 0));
  }

  @Test
  void takesForTextWhatIsUtf8WithoutANulNearItsBeginning() {
    assertThat(TextRule.isText(bytes(""))).isTrue();
    assertThat(TextRule.isText(bytes("\u65e5\u672c \uD83D\uDE00".repeat(5_000)))).isTrue();
    assertThat(TextRule.isText(bytes("x".repeat(8_000) + "\0"))).isTrue();
    assertThat(TextRule.isText(bytes("x".repeat(7_999) + "\0"))).isFalse();
    assertThat(TextRule.isText(new byte[] {'a', (byte) 0xe2, (byte) 0x82})).isFalse();
    assertThat(TextRule.isText("\u00e4".getBytes(StandardCharsets.ISO_8859_1))).isFalse();
  }

  @Test
  void writesNamesAsGitDoes() throws IOException {
    var diff =
        diff(
            file("with space", "1\n", "2\n"),
            file("quo\"te\t", "1\n", "2\n"),
            file("\u00fc", "1\n", "2\n"));

    assertThat(diff.lines().filter(line -> line.matches("(diff|---|\\+\\+\\+).*")))
        .containsExactly(
            "diff --git \"a/with space\" \"b/with space\"",
            "--- a/with space\t",
            "+++ b/with space\t",
            "diff --git \"a/quo\\\"te\\011\" \"b/quo\\\"te\\011\"",
            "--- \"a/quo\\\"te\\011\"",
            "+++ \"b/quo\\\"te\\011\"",
            "diff --git a/\u00fc b/\u00fc",
            "--- a/\u00fc",
            "+++ b/\u00fc");
  }

  @Test
  void countsFilesAndLines() {
    var files =
        List.of(
            file("a", null, "1\n2\n"),
            file("b", "1\n2\n3\n", "1\n3\n4\n5\n"),
            file("c", "1\n2\n", null),
            file("d", "", null));

    var report = Diff.count(files, contents);

    assertThat(report.counts()).isEqualTo(new DiffReport.Counts(1, 1, 2, 4, 3));
    assertThat(report.counts().files()).isEqualTo(4);
    assertThat(report.files())
        .extracting(FileDiff::path, FileDiff::kind, FileDiff::added, FileDiff::removed)
        .containsExactly(
            tuple("a", FileDiff.Kind.CREATED, 2, 0),
            tuple("b", FileDiff.Kind.MODIFIED, 2, 1),
            tuple("c", FileDiff.Kind.DELETED, 0, 2),
            tuple("d", FileDiff.Kind.DELETED, 0, 0));
  }

  @Test
  void saysWhatItShowsAsReplacedBecauseThereIsTooMuch() throws IOException {
    var before = "head\n" + "a\nb\n".repeat(10_000) + "tail\n";
    var after = "head\n" + "b\n".repeat(100) + "tail\n";

    var text = new StringBuilder();
    var report = Diff.write(List.of(file("x", before, after)), contents, text);

    assertThat(text.toString())
        .startsWith("Too different to be compared line by line, shown as replaced:\ndiff --git")
        .contains("@@ -1,20002 +1,102 @@\n head\n-a\n-b\n");
    assertThat(report.files().getFirst().coarse()).isTrue();
    assertThat(report.counts()).isEqualTo(new DiffReport.Counts(0, 1, 0, 99, 19_999));
  }

  @Test
  void namesWhatIsMissing() {
    var file = file("x", "1\n", "2\n");
    contents.lose(file.before().sha256());

    assertThatThrownBy(() -> diff(file))
        .isInstanceOf(UnreadableChanges.class)
        .hasMessageContaining("The content of \"x\" before the change is missing in the store");
  }

  @Test
  void asksForManyContentsAtOnceAndForFewMegabytes() {
    var files = new ArrayList<FileEdit>();
    for (int i = 0; i < 20; i++) {
      files.add(file("f" + i, null, i + "x".repeat(2 << 20)));
    }

    Diff.count(files, contents);

    assertThat(contents.asked).hasSize(3);
    assertThat(contents.asked).allSatisfy(asked -> assertThat(bytes(asked)).isLessThan(17 << 20));
  }

  private long bytes(Collection<String> asked) {
    return asked.stream().mapToLong(sha -> contents.asStored(sha).length).sum();
  }

  private FileEdit file(String path, @Nullable String before, @Nullable String after) {
    return new FileEdit(path, contents.put(before), contents.put(after));
  }

  private String diff(FileEdit... files) throws IOException {
    var text = new StringBuilder();
    Diff.write(List.of(files), contents, text);
    return text.toString();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
