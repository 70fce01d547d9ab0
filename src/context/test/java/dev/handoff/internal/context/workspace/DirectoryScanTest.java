package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancelledException;
import dev.handoff.testing.BoundedWaits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A scan")
class DirectoryScanTest {

  @TempDir Path temporary;

  private final SkipNotes notes = new SkipNotes();
  private final CancellationSource stop = new CancellationSource();
  private Path root;
  private Path outside;

  @BeforeEach
  void makeDirectories() throws IOException {
    root = Files.createDirectory(IndexViews.real(temporary).resolve("root"));
    outside = Files.createDirectory(IndexViews.real(temporary).resolve("outside"));
  }

  private Set<String> scan(String settings) {
    var limits = IndexViews.settings(settings).limits();
    try {
      return new DirectoryScan(root, Set.of(root.resolve("data")), limits, notes, stop.token())
          .files()
          .keySet();
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  private Set<String> scan() {
    return scan("");
  }

  private void write(String name) {
    IndexViews.write(root, name, "text");
  }

  @Test
  void findsFilesInAllDirectoriesButThoseThatAreExcluded() {
    write("b.txt");
    write("a/b/c.txt");
    write("data/index.txt");
    write("a/data/x.txt");

    assertThat(scan()).containsExactly("a/b/c.txt", "a/data/x.txt", "b.txt");
    assertThat(notes.lines()).isEmpty();
  }

  @Test
  void entersOnlySoManyDirectoriesWithinEachOther() {
    write("d/".repeat(200) + "deep.txt");
    write("d/".repeat(201) + "deeper.txt");

    assertThat(scan()).containsExactly("d/".repeat(200) + "deep.txt");
    assertThat(notes.lines())
        .singleElement()
        .asString()
        .startsWith("1 × in more directories within each other than anybody makes: d/d/");
  }

  @Test
  void neverEntersGitsOwnDirectory() {
    write(".git/HEAD");
    write("sub/.git/config");
    write("module/.git");
    write("module/a.txt");

    assertThat(scan()).containsExactly("module/a.txt");
  }

  @Test
  void leavesOutLinksThatLeadOutOfTheRootAndSaysSo() throws IOException {
    IndexViews.write(outside, "secret.txt", "secret");
    write("inside/a.txt");
    Files.createSymbolicLink(root.resolve("file"), outside.resolve("secret.txt"));
    Files.createSymbolicLink(root.resolve("directory"), outside);
    Files.createSymbolicLink(root.resolve("loop"), root);
    Files.createSymbolicLink(root.resolve("inside/up"), Path.of(".."));
    Files.createSymbolicLink(root.resolve("self"), Path.of("self"));
    Files.createSymbolicLink(root.resolve("nowhere"), Path.of("missing"));
    Files.createSymbolicLink(root.resolve("same"), Path.of("inside/a.txt"));

    assertThat(scan()).containsExactly("inside/a.txt");
    assertThat(notes.lines())
        .containsExactly(
            "4 × a link that leads out of the directory, or nowhere: directory, file, nowhere,"
                + " self");
  }

  /// A common prefix is not a common root: `root-evil` is next to `root`.
  @Test
  void comparesRootsByTheirComponents() throws IOException {
    IndexViews.write(temporary, "root-evil/a.txt", "text");
    Files.createSymbolicLink(root.resolve("evil"), Path.of("../root-evil/a.txt"));

    assertThat(scan()).isEmpty();
    assertThat(notes.lines()).hasSize(1);
  }

  @Test
  void neverOpensWhatIsNoFile() throws Exception {
    write("a.txt");
    assumeTrue(new ProcessBuilder("mkfifo", root + "/pipe").start().waitFor() == 0, "no mkfifo");

    assertThat(scan()).containsExactly("a.txt");
    assertThat(notes.lines()).containsExactly("1 × neither a file nor a directory: pipe");
  }

  @Test
  void leavesOutWhatIsTooLargeOrTooMuchAndSaysSo() {
    IndexViews.write(root, "a.txt", "x".repeat(11));
    write("b/x.txt");
    write("c.txt");
    write("d/y.txt");
    write("d/z.txt");

    assertThat(scan("max-file-size = 10, max-files = 6"))
        .containsExactly("b/x.txt", "c.txt", "d/y.txt");
    assertThat(notes.lines())
        .containsExactly(
            "1 × larger than handoff.context.workspace.max-file-size: a.txt",
            "1 × beyond handoff.context.workspace.max-files, as is all that is farther from the"
                + " root: d/z.txt");
  }

  @Test
  void endsWhereThereIsTooMuch() {
    for (int number = 0; number < 50; number++) {
      write("f%02d.txt".formatted(number));
      write("d%02d/x.txt".formatted(number));
    }

    assertThat(scan("max-files = 10")).hasSizeLessThanOrEqualTo(10);
    assertThat(notes.lines()).hasSize(1);
  }

  @Test
  void goesOnWhereADirectoryCannotBeRead() throws IOException {
    write("a.txt");
    write("closed/b.txt");
    var closed = root.resolve("closed");
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    assumeTrue(!Files.isReadable(closed), "root may read everything");

    assertThat(scan()).containsExactly("a.txt");
    assertThat(notes.lines()).containsExactly("1 × not readable: closed");
  }

  @Test
  void endsWhenItIsCancelled() {
    write("a.txt");
    stop.cancel(new Cancellation(Cancellation.Cause.REQUESTED, "enough", "test"));

    assertThatThrownBy(this::scan).isInstanceOf(CancelledException.class);
  }

  @Test
  void failsWhenTheRootIsGone() throws IOException {
    Files.delete(root);

    assertThatThrownBy(this::scan).hasCauseInstanceOf(IOException.class);
  }

  @Test
  void namesFilesThatHaveOddNames() {
    write("a b/ü 文.txt");
    write("line\nbreak.txt");

    assertThat(scan("max-file-size = 1")).isEmpty();
    assertThat(notes.lines().getFirst()).contains("a b/ü 文.txt").contains("line?break.txt");
  }

  /// Time passes between the listing of a directory and its scan.
  @Test
  void takesNothingFromADirectoryThatBecomesALink() throws Exception {
    IndexViews.write(outside, "secret.txt", "secret");
    IntStream.range(0, 300).forEach(number -> write("file" + number));
    write("directory/a.txt");
    var directory = root.resolve("directory");
    var away = temporary.resolve("away");
    var over = new CompletableFuture<Void>();
    var swaps =
        CompletableFuture.runAsync(
            () -> {
              while (!over.isDone()) {
                swap(directory, away);
              }
            },
            Thread.ofPlatform()::start);

    var found = new TreeSet<String>();
    try {
      IntStream.range(0, 200).forEach(time -> found.addAll(scan()));
    } finally {
      over.complete(null);
    }
    BoundedWaits.get(swaps);

    assertThat(found).contains("file1").doesNotContain("directory/secret.txt");
  }

  private void swap(Path directory, Path away) {
    try {
      Files.move(directory, away);
      Files.createSymbolicLink(directory, outside);
      Files.delete(directory);
      Files.move(away, directory);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
