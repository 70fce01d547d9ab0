package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.Embedder;
import dev.handoff.context.WorkspaceView;
import dev.handoff.testing.RandomSeeds;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An index on disk")
class IndexDirectoryTest {

  private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));

  @TempDir Path root;
  @TempDir Path data;

  private Path place;

  @BeforeEach
  void writeFiles() throws IOException {
    place = data.resolve("context/one");
    for (int number = 0; number < 30; number++) {
      var text = "package p;\nclass C%d { C%d next; }\n".formatted(number, (number + 1) % 30);
      var file = IndexViews.write(root, "src/p/C%d.java".formatted(number), text);
      Files.setLastModifiedTime(file, LONG_AGO);
    }
  }

  /// Opens, refreshes and closes the index, as a new process does.
  private WorkspaceIndex.Refreshed visit(IndexedSources sources) throws IOException {
    var index = WorkspaceIndex.open(sources, place);
    var refreshed = IndexViews.refresh(index);
    assertFindsAll(IndexViews.view(sources, refreshed.snapshot()));
    IndexViews.close(index);
    return refreshed;
  }

  private WorkspaceIndex.Refreshed visit() throws IOException {
    return visit(IndexViews.sources(root));
  }

  private static void assertFindsAll(WorkspaceView view) {
    assertThat(view.paths()).hasSize(30);
    assertThat(view.search("C7", 1)).extracting("path").containsExactly("src/p/C7.java");
    assertThat(view.nearest("C7 next", 30)).hasSize(30);
    assertThat(view.references("src/p/C7.java")).containsExactly("src/p/C8.java");
    assertThat(view.referrers("src/p/C7.java")).containsExactly("src/p/C6.java");
  }

  @Test
  void isReadBackByTheNextProcess() throws IOException {
    assertThat(visit().read()).isEqualTo(30);
    assertThat(visit().read()).isZero();

    Files.delete(root.resolve("src/p/C29.java"));
    IndexViews.write(root, "src/p/C29.java", "package p;\nclass C29 { C0 next; int more; }\n");
    assertThat(visit().read()).isEqualTo(1);
  }

  /// A sequence of processes that each change a little.
  @Test
  void staysInFewPieces() throws IOException {
    var sources = IndexViews.sources(root);
    for (int number = 0; number < 60; number++) {
      IndexViews.write(root, "more/f%d.txt".formatted(number), "words");
      var index = WorkspaceIndex.open(sources, place);
      IndexViews.refresh(index);
      IndexViews.close(index);
    }

    try (var directory = FSDirectory.open(place);
        var reader = DirectoryReader.open(directory)) {
      assertThat(reader.maxDoc()).isGreaterThan(60);
      assertThat(reader.leaves()).hasSizeLessThan(20);
    }
  }

  @Test
  void isMadeAnewForAnotherEmbedder() throws IOException {
    visit();

    var other = IndexViews.sources(root, "", InstantSource.system(), new Renamed("other"));
    var refreshed = visit(other);

    assertThat(refreshed.read()).isEqualTo(30);
    assertThat(refreshed.snapshot().notes()).isEmpty();
    assertThat(visit(other).read()).isZero();
  }

  /// Changes a byte, truncates a file, or deletes a file.
  @Test
  void isMadeAnewWhenItIsDamaged() throws IOException {
    RandomSeeds.each(
        50,
        random -> {
          visit();
          boolean damaged = damage(random);
          var refreshed = visit();
          if (damaged) {
            assertThat(refreshed.read()).isEqualTo(30);
            assertThat(refreshed.snapshot().notes()).hasSize(1);
            assertThat(refreshed.snapshot().notes().getFirst()).contains("has been made anew");
          }
        });
  }

  private boolean damage(Random random) throws IOException {
    List<Path> files;
    try (var all = Files.list(place)) {
      files = all.filter(file -> !file.endsWith("write.lock")).sorted().toList();
    }
    var file = files.get(random.nextInt(files.size()));
    int size = (int) Files.size(file);
    switch (random.nextInt(5)) {
      case 0 -> {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(random.nextInt(size));
        }
      }
      case 1 -> {
        // Without its segments file there is no index, so nothing counts as damaged.
        Files.delete(file);
        return !file.getFileName().toString().startsWith("segments");
      }
      default -> {
        var bytes = Files.readAllBytes(file);
        bytes[random.nextInt(size)] ^= (byte) (1 + random.nextInt(255));
        Files.write(file, bytes);
      }
    }
    return true;
  }

  @Test
  void isCopiedIntoMemoryWhileAnotherProcessHasItOpen() throws IOException {
    visit();
    var holder = WorkspaceIndex.open(IndexViews.sources(root), place);

    var refreshed = visit();

    assertThat(refreshed.read()).as("it is copied, not made").isZero();
    assertThat(refreshed.snapshot().notes()).hasSize(1);
    assertThat(refreshed.snapshot().notes().getFirst()).contains("another process has the index");
    IndexViews.close(holder);
    assertThat(visit().snapshot().notes()).isEmpty();
  }

  @Test
  void isMadeInMemoryWhileAnotherProcessMakesIt() throws IOException {
    var holder = WorkspaceIndex.open(IndexViews.sources(root), place);

    var refreshed = visit();

    assertThat(refreshed.read()).isEqualTo(30);
    assertThat(refreshed.snapshot().notes()).hasSize(1);
    IndexViews.close(holder);
  }

  @Test
  void isMadeInMemoryWhileAnotherProcessHasOneOfAnotherVersion() throws IOException {
    var other = IndexViews.sources(root, "", InstantSource.system(), new Renamed("other"));
    visit(other);
    var holder = WorkspaceIndex.open(other, place);

    assertThat(visit().read()).isEqualTo(30);
    IndexViews.close(holder);
  }

  @Test
  void isInMemoryWhereNoneCanBeKept() throws IOException {
    Files.createDirectories(place.getParent());
    Files.writeString(place, "a file is in the way");

    var refreshed = visit();

    assertThat(refreshed.read()).isEqualTo(30);
    assertThat(refreshed.snapshot().notes().getFirst()).startsWith("no index can be kept in");
  }

  private record Renamed(String id) implements Embedder {
    private static final Embedder HASHED = new HashedEmbedder();

    @Override
    public int dimensions() {
      return HASHED.dimensions();
    }

    @Override
    public float[] embed(String text) {
      return HASHED.embed(text);
    }
  }
}
