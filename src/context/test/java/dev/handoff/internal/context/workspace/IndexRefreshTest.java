package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.handoff.context.WorkspaceView;
import dev.handoff.testing.HandClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A refresh")
class IndexRefreshTest {

  private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00.123456789Z");

  @TempDir Path root;

  private WorkspaceIndex index;
  private WorkspaceIndex.Refreshed last;

  @BeforeEach
  void open() throws IOException {
    index = WorkspaceIndex.open(IndexViews.sources(root), null);
  }

  @AfterEach
  void close() {
    IndexViews.close(index);
  }

  private void refresh() {
    last = IndexViews.refresh(index);
  }

  private WorkspaceView view() {
    return IndexViews.view(IndexViews.sources(root), last.snapshot());
  }

  private void write(String name, String text) throws IOException {
    write(name, text, LONG_AGO);
  }

  private void write(String name, String text, Instant modified) throws IOException {
    Files.setLastModifiedTime(IndexViews.write(root, name, text), FileTime.from(modified));
  }

  @Test
  void readsOnlyWhatHasChanged() throws IOException {
    write("a.txt", "alpha");
    write("b.txt", "beta");
    refresh();
    assertThat(last.read()).isEqualTo(2);
    var before = last.snapshot();

    refresh();
    assertThat(last.read()).isZero();
    assertThat(last.snapshot().reader()).isSameAs(before.reader());

    write("b.txt", "gamma");
    write("c.txt", "delta");
    refresh();

    assertThat(last.read()).isEqualTo(2);
    assertThat(last.indexed()).isEqualTo(2);
    assertThat(view().search("gamma", 9)).extracting("path").containsExactly("b.txt");
    assertThat(view().search("beta", 9)).isEmpty();
    assertThat(view().file("b.txt").orElseThrow().text()).isEqualTo("gamma");
    assertThat(view().nearest("delta", 1)).extracting("path").containsExactly("c.txt");
    assertThat(view().nearest("delta", 9)).hasSize(3);
  }

  @Test
  void readsAFileThatWasTouchedAndIndexesItNotAgain() throws IOException {
    write("a.txt", "alpha");
    refresh();

    write("a.txt", "alpha", LONG_AGO.plusSeconds(60));
    refresh();

    assertThat(last.read()).isEqualTo(1);
    assertThat(last.indexed()).isZero();
    assertThat(view().file("a.txt").orElseThrow().modified()).isEqualTo(LONG_AGO.plusSeconds(60));

    refresh();
    assertThat(last.read()).isZero();
  }

  @Test
  void forgetsWhatIsGone() throws IOException {
    write("a.txt", "alpha");
    write("b.txt", "alpha");
    refresh();
    var before = view();

    Files.delete(root.resolve("a.txt"));
    refresh();

    assertThat(view().paths()).containsExactly("b.txt");
    assertThat(view().search("alpha", 9)).extracting("path").containsExactly("b.txt");
    assertThat(view().nearest("alpha", 9)).extracting("path").containsExactly("b.txt");
    assertThat(view().file("a.txt")).isEmpty();
    assertThat(before.paths()).containsExactly("a.txt", "b.txt");
  }

  @Test
  void forgetsAFileThatHasBecomeADirectoryOrIgnored() throws IOException {
    write("a", "alpha");
    write("b", "beta");
    refresh();

    Files.delete(root.resolve("a"));
    write("a/c", "gamma");
    write(".gitignore", "b\n");
    refresh();

    assertThat(view().paths()).containsExactly(".gitignore", "a/c");
  }

  @Test
  void remembersWhatIsNoText() throws IOException {
    write("a.bin", "a\0b");
    refresh();
    refresh();

    assertThat(last.read()).isZero();
    assertThat(view().paths()).isEmpty();
    assertThat(view().notes()).containsExactly("1 × no text: a.bin");

    write("a.bin", "text after all", LONG_AGO.plusSeconds(1));
    refresh();
    assertThat(view().search("text", 1)).hasSize(1);
    assertThat(view().notes()).isEmpty();

    write("a.bin", "a\0b");
    refresh();
    assertThat(view().search("text", 1)).isEmpty();
    assertThat(view().notes()).hasSize(1);
  }

  @Test
  void takesFilesInTheirOrderUntilTheyAreTooMuch() throws IOException {
    write("a.bin", "\0".repeat(50));
    write("b.txt", "x".repeat(40));
    write("c.txt", "x".repeat(70));
    write("d.txt", "x".repeat(60));
    write("e.txt", "x");
    IndexViews.close(index);
    var system = InstantSource.system();
    index =
        WorkspaceIndex.open(
            IndexViews.sources(root, "max-total-size = 100", system, new HashedEmbedder()), null);

    refresh();
    refresh();

    assertThat(view().paths()).containsExactly("b.txt", "d.txt");
    assertThat(view().notes())
        .containsExactly(
            "1 × no text: a.bin",
            "2 × beyond handoff.context.workspace.max-total-size: c.txt, e.txt");

    Files.delete(root.resolve("b.txt"));
    refresh();
    assertThat(view().paths()).containsExactly("c.txt", "e.txt");
  }

  /// The file keeps its size, and its modification time within the disk's resolution.
  @Test
  void readsAgainWhatMayHaveChangedInTheMomentInWhichItWasRead() throws IOException {
    var clock = new HandClock(LONG_AGO.plusMillis(1));
    IndexViews.close(index);
    index = WorkspaceIndex.open(IndexViews.sources(root, "", clock, new HashedEmbedder()), null);
    write("a.txt", "alpha");
    refresh();

    write("a.txt", "gamma");
    refresh();

    assertThat(view().search("gamma", 1)).hasSize(1);

    clock.move(Duration.ofSeconds(1));
    refresh();
    assertThat(last.read()).isEqualTo(1);
    refresh();
    assertThat(last.read()).as("once it is no longer new").isZero();
  }

  @Test
  void writesNothingForAFileThatIsOfTheFutureAndStaysAsItIs() throws IOException {
    write("a.txt", "alpha", Instant.now().plus(Duration.ofDays(1)));
    refresh();
    var before = last.snapshot();

    refresh();

    assertThat(last.read()).isEqualTo(1);
    assertThat(last.snapshot().reader()).isSameAs(before.reader());
    write("a.txt", "gamma", Instant.now().plus(Duration.ofDays(1)));
    refresh();
    assertThat(view().search("gamma", 1)).hasSize(1);
  }

  @Test
  void waitsLongerOnADiskThatKnowsOnlySeconds() throws IOException {
    var whole = Instant.parse("2020-01-01T00:00:00Z");
    var clock = new HandClock(whole.plusMillis(1_500));
    IndexViews.close(index);
    index = WorkspaceIndex.open(IndexViews.sources(root, "", clock, new HashedEmbedder()), null);
    write("a.txt", "alpha", whole);
    refresh();

    write("a.txt", "gamma", whole);
    refresh();

    assertThat(view().search("gamma", 1)).hasSize(1);
  }

  /// Counter-test to the two above: the clock says that the file was read long after its change.
  @Test
  void wouldMissSuchAChangeIfItTrustedTimesAlone() throws IOException {
    write("a.txt", "alpha");
    refresh();

    write("a.txt", "gamma");
    refresh();

    assertThat(last.read()).isZero();
    assertThat(view().search("gamma", 1)).isEmpty();
  }

  /// As root, reading `/proc/kmsg` blocks until the kernel logs a message.
  @Test
  void opensNothingThatSaysItIsEmpty() throws IOException {
    var made = Path.of("/proc/sys/kernel");
    var file = made.resolve("ostype");
    assumeTrue(Files.isReadable(file) && Files.size(file) == 0, "no such files here");
    assertThat(Files.readString(file)).isNotBlank();

    try (var view = IndexViews.of(made)) {
      assertThat(view.file("ostype").orElseThrow().text()).isEmpty();
    }
  }
}
