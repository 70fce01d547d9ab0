package dev.handoff.internal.context.workspace;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.context.Embedder;
import dev.handoff.context.WorkspaceView;
import dev.handoff.testing.BoundedWaits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;

/// Indexes of directories, without actors.
public final class IndexViews {

  private IndexViews() {}

  /// Settings of `reference.conf`, with the test's own keys.
  public static WorkspaceSettings settings(String own) {
    Config section = ConfigFactory.parseString("context.workspace { " + own + " }");
    return WorkspaceSettings.from(
        section.withFallback(ConfigFactory.load().getConfig("handoff")).resolve());
  }

  static IndexedSources sources(Path root) {
    return sources(root, "", InstantSource.system(), new HashedEmbedder());
  }

  static IndexedSources sources(Path root, String own, InstantSource clock, Embedder embedder) {
    return new IndexedSources(
        real(root), Set.of(), settings(own), embedder, new WordNormalizer(), clock);
  }

  /// In-memory view of a directory in its current state.
  public static WorkspaceView of(Path root) {
    return of(sources(root));
  }

  static WorkspaceView of(IndexedSources sources) {
    try {
      var index = WorkspaceIndex.open(sources, null);
      return IndexView.of(
          sources, refresh(index).snapshot(), CommitLog.NONE, new ClosesIndex(index));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /// View that needs no closing.
  static WorkspaceView view(IndexedSources sources, IndexSnapshot snapshot) {
    return IndexView.of(sources, snapshot, CommitLog.NONE, Unowned.INSTANCE);
  }

  private enum Unowned implements IndexView.Owner {
    INSTANCE;

    @Override
    public void closed() {}

    @Override
    public void learned(CommitLog log) {}
  }

  private record ClosesIndex(WorkspaceIndex index) implements IndexView.Owner {
    @Override
    public void closed() {
      close(index);
    }

    @Override
    public void learned(CommitLog log) {}
  }

  static WorkspaceIndex.Refreshed refresh(WorkspaceIndex index) {
    return BoundedWaits.get(index.refresh(new CancellationSource().token()));
  }

  static void close(WorkspaceIndex index) {
    try {
      index.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  /// Writes a file, and creates its parent directories.
  public static Path write(Path root, String name, String text) {
    try {
      var file = root.resolve(name);
      Files.createDirectories(file.getParent());
      return Files.writeString(file, text);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
