package dev.handoff.context.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;

/// A view of a snapshot.
///
/// @param log the commits, once they have been asked for
record IndexView(
    Sources sources,
    Snapshot snapshot,
    Search search,
    CommitLog known,
    CompletableFuture<CommitLog> log,
    Owner owner)
    implements WorkspaceView {

  /// Whoever gave a view out.
  interface Owner {
    /// It has been closed; may be told again.
    void closed();

    /// It has read commits, which another view need not read again.
    void learned(CommitLog log);
  }

  static IndexView of(Sources sources, Snapshot snapshot, CommitLog known, Owner owner) {
    var search = new Search(snapshot.reader());
    return new IndexView(sources, snapshot, search, known, new CompletableFuture<>(), owner);
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
    return snapshot.git().isPresent();
  }

  @Override
  public List<String> notes() {
    var notes = new ArrayList<>(snapshot.notes());
    notes.addAll(log.getNow(CommitLog.NONE).notes());
    return List.copyOf(notes);
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
    if (!log.isDone() && snapshot.git().isPresent()) {
      var history = sources.settings().history();
      var read = GitHistory.read(snapshot.git().get(), sources.root(), history, known);
      if (log.complete(read) && read != known && read.whole()) {
        owner.learned(read);
      }
    }
    return log.getNow(CommitLog.NONE).of(snapshot.paths(), limit);
  }

  @Override
  public void close() {
    owner.closed();
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
