package dev.handoff.context.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/// A view of a snapshot. Whoever gave it out is told when it is closed, and may be told again.
record IndexView(Sources sources, Snapshot snapshot, Search search, Runnable onClose)
    implements WorkspaceView {

  static IndexView of(Sources sources, Snapshot snapshot, Runnable onClose) {
    return new IndexView(sources, snapshot, new Search(snapshot.reader()), onClose);
  }

  @Override
  public Path root() {
    return sources.root();
  }

  @Override
  public SortedSet<String> paths() {
    return snapshot.paths();
  }

  @Override
  public boolean hasGit() {
    return snapshot.git();
  }

  @Override
  public List<String> notes() {
    return snapshot.notes();
  }

  @Override
  public List<Hit> search(String text, int limit) {
    return read(() -> search.words(terms(text), limit));
  }

  @Override
  public List<Hit> nearest(String text, int limit) {
    var vector = new Vectors(sources.embedder()).of(text).vector();
    return vector.isEmpty() ? List.of() : read(() -> search.nearest(vector.get(), limit));
  }

  @Override
  public Optional<IndexedFile> file(String path) {
    var entry = snapshot.files().get(path);
    if (entry == null) {
      return Optional.empty();
    }
    return read(() -> search.text(path))
        .map(
            text ->
                new IndexedFile(
                    path, Sources.instant(entry.modified()), text, Outliners.of(path, text)));
  }

  @Override
  public SortedSet<String> references(String path) {
    return snapshot.links().from(path);
  }

  @Override
  public SortedSet<String> referrers(String path) {
    return snapshot.links().to(path);
  }

  @Override
  public Set<String> terms(String text) {
    return sources.vocabulary().terms(text);
  }

  @Override
  public List<Commit> commits(int limit) {
    return List.of();
  }

  @Override
  public void close() {
    onClose.run();
  }

  private interface Reading<T> {
    T read() throws IOException;
  }

  private static <T> T read(Reading<T> reading) {
    try {
      return reading.read();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
