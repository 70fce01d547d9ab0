package dev.handoff.internal.context.workspace;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.git.GitPlace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.lucene.index.DirectoryReader;
import org.jspecify.annotations.Nullable;

/// Writable index of one directory. Not thread-safe; refreshes must not overlap.
final class WorkspaceIndex {

  /// Separate threads, because indexing is CPU-bound.
  static final Executor THREADS =
      task -> Thread.ofPlatform().daemon().name("handoff-workspace").start(task);

  private final IndexedSources sources;
  private final IndexDirectory.Opened opened;
  private SortedMap<String, IndexEntry> entries;
  private IndexSnapshot snapshot;

  private WorkspaceIndex(IndexedSources sources, IndexDirectory.Opened opened) throws IOException {
    this.sources = sources;
    this.opened = opened;
    this.entries = new TreeMap<>();
    opened.entries().forEach(entry -> entries.put(entry.path(), entry));
    this.snapshot = first(DirectoryReader.open(opened.writer()));
  }

  private IndexSnapshot first(DirectoryReader reader) {
    var texts = texts(entries);
    return IndexSnapshot.of(
        reader, texts, new FileLinks(texts.values()), List.of(), Optional.empty());
  }

  /// @param directory location of the index; null = in memory
  static WorkspaceIndex open(IndexedSources sources, @Nullable Path directory) throws IOException {
    return of(sources, new IndexDirectory(sources).open(directory));
  }

  /// In-memory replacement for an index after a write failure.
  static WorkspaceIndex inMemory(IndexedSources sources, Throwable failure) {
    try {
      return of(sources, new IndexDirectory(sources).inMemory(failure));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static WorkspaceIndex of(IndexedSources sources, IndexDirectory.Opened opened)
      throws IOException {
    try {
      return new WorkspaceIndex(sources, opened);
    } catch (Throwable failed) {
      close(opened);
      throw failed;
    }
  }

  /// Updates the index from its directory. After a failure, the snapshot is unchanged.
  CompletionStage<Refreshed> refresh(CancellationToken stop) {
    var refresh = new IndexRefresh(sources, opened.writer(), entries, stop);
    return CompletableFuture.runAsync(refresh::look, THREADS)
        .thenCompose(looked -> refresh.index())
        .thenApplyAsync(indexed -> publish(refresh), THREADS);
  }

  /// @param read number of files read
  /// @param indexed number of files indexed
  record Refreshed(IndexSnapshot snapshot, int read, int indexed) {}

  private Refreshed publish(IndexRefresh refresh) {
    try {
      var notes = new ArrayList<>(opened.notes());
      notes.addAll(refresh.notes());
      var git = GitPlace.around(sources.root());
      if (refresh.wrote()) {
        IndexDirectory.mark(opened.writer(), sources);
        opened.writer().commit();
      }
      snapshot = refresh.wrote() ? newer(refresh.entries(), notes, git) : snapshot.with(notes, git);
      entries = refresh.entries();
      return new Refreshed(snapshot, refresh.read(), refresh.indexed());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private IndexSnapshot newer(
      SortedMap<String, IndexEntry> now, List<String> notes, Optional<GitPlace> git)
      throws IOException {
    var changed = DirectoryReader.openIfChanged(snapshot.reader(), opened.writer());
    var reader = changed == null ? snapshot.reader() : changed;
    var texts = texts(now);
    var links =
        texts.keySet().equals(snapshot.files().keySet()) && sameLinks(texts.values())
            ? snapshot.links()
            : new FileLinks(texts.values());
    var old = snapshot.reader();
    var newer = IndexSnapshot.of(reader, texts, links, notes, git);
    if (changed != null) {
      old.decRef();
    }
    return newer;
  }

  private boolean sameLinks(Collection<IndexEntry> now) {
    return now.stream()
        .allMatch(
            entry -> {
              var before = snapshot.files().get(entry.path());
              return before != null
                  && before.defines().equals(entry.defines())
                  && before.mentions().equals(entry.mentions());
            });
  }

  private static SortedMap<String, IndexEntry> texts(SortedMap<String, IndexEntry> entries) {
    var texts = new TreeMap<String, IndexEntry>();
    entries.values().stream().filter(IndexEntry::isText).forEach(one -> texts.put(one.path(), one));
    return Collections.unmodifiableSortedMap(texts);
  }

  IndexSnapshot snapshot() {
    return snapshot;
  }

  boolean isOnDisk() {
    return opened.onDisk();
  }

  /// Closes the index after running merges; otherwise an index opened per question would accumulate
  /// one segment per question. Readers in use stay open.
  void close() throws IOException {
    snapshot.reader().decRef();
    close(opened);
  }

  private static void close(IndexDirectory.Opened opened) throws IOException {
    try {
      opened.writer().close();
    } finally {
      opened.writer().rollback();
      opened.directory().close();
    }
  }
}
