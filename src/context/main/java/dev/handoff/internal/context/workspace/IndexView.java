package dev.handoff.internal.context.workspace;

import dev.handoff.context.WorkspaceView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;

/// A workspace view of an index snapshot.
///
/// @param log commits, loaded on first request
record IndexView(
    IndexedSources sources,
    IndexSnapshot snapshot,
    IndexSearch search,
    CommitLog known,
    CompletableFuture<CommitLog> log,
    Owner owner)
    implements WorkspaceView {

  /// Issuer of a view.
  interface Owner {
    /// The view was closed. Idempotent.
    void closed();

    /// The view loaded commits, which later views can reuse.
    void learned(CommitLog log);
  }

  static IndexView of(
      IndexedSources sources, IndexSnapshot snapshot, CommitLog known, Owner owner) {
    var search = new IndexSearch(snapshot.reader());
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
    var vector = new CheckedEmbedder(sources.embedder()).of(text).vector();
    return vector.isEmpty() ? List.of() : read(() -> search.nearest(vector.get(), limit));
  }

  @Override
  public Optional<WorkspaceView.IndexedFile> file(String path) {
    var entry = snapshot.files().get(path);
    if (entry == null) {
      return Optional.empty();
    }
    return read(() -> search.text(path))
        .map(
            text ->
                new WorkspaceView.IndexedFile(
                    path,
                    IndexedSources.instant(entry.modified()),
                    text,
                    FileOutliners.of(path, text)));
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
  public List<WorkspaceView.GitCommit> commits(int limit) {
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
