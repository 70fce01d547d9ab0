package dev.handoff.context.workspace;

import dev.handoff.cancel.CancellationToken;
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

/// The index of one directory, open for writing. Used by one thread after the other: a refresh
/// begins when the one before has ended.
final class WorkspaceIndex {

  /// Indexing keeps a processor busy: it has threads that nobody else waits for.
  static final Executor THREADS =
      task -> Thread.ofPlatform().daemon().name("handoff-workspace").start(task);

  private final Sources sources;
  private final IndexDirectory.Opened opened;
  private SortedMap<String, Entry> entries;
  private Snapshot snapshot;

  private WorkspaceIndex(Sources sources, IndexDirectory.Opened opened) throws IOException {
    this.sources = sources;
    this.opened = opened;
    this.entries = new TreeMap<>();
    opened.entries().forEach(entry -> entries.put(entry.path(), entry));
    this.snapshot = first(DirectoryReader.open(opened.writer()));
  }

  private Snapshot first(DirectoryReader reader) {
    var texts = texts(entries);
    return Snapshot.of(reader, texts, new Links(texts.values()), List.of(), Optional.empty());
  }

  /// @param directory where it is kept; null = in memory
  static WorkspaceIndex open(Sources sources, @Nullable Path directory) throws IOException {
    return of(sources, new IndexDirectory(sources).open(directory));
  }

  /// One that is kept nowhere, in place of one that could not be written.
  static WorkspaceIndex inMemory(Sources sources, Throwable failure) {
    try {
      return of(sources, new IndexDirectory(sources).inMemory(failure));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static WorkspaceIndex of(Sources sources, IndexDirectory.Opened opened)
      throws IOException {
    try {
      return new WorkspaceIndex(sources, opened);
    } catch (Throwable failed) {
      close(opened);
      throw failed;
    }
  }

  /// Brings it up to date. What it holds after a failure is as good as before.
  CompletionStage<Refreshed> refresh(CancellationToken stop) {
    var refresh = new Refresh(sources, opened.writer(), entries, stop);
    return CompletableFuture.runAsync(refresh::look, THREADS)
        .thenCompose(looked -> refresh.index())
        .thenApplyAsync(indexed -> publish(refresh), THREADS);
  }

  /// @param read how many files were read
  /// @param indexed how many of them were put into the index
  record Refreshed(Snapshot snapshot, int read, int indexed) {}

  private Refreshed publish(Refresh refresh) {
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

  private Snapshot newer(SortedMap<String, Entry> now, List<String> notes, Optional<GitPlace> git)
      throws IOException {
    var changed = DirectoryReader.openIfChanged(snapshot.reader(), opened.writer());
    var reader = changed == null ? snapshot.reader() : changed;
    var texts = texts(now);
    var links =
        texts.keySet().equals(snapshot.files().keySet()) && sameLinks(texts.values())
            ? snapshot.links()
            : new Links(texts.values());
    var old = snapshot.reader();
    var newer = Snapshot.of(reader, texts, links, notes, git);
    if (changed != null) {
      old.decRef();
    }
    return newer;
  }

  private boolean sameLinks(Collection<Entry> now) {
    return now.stream()
        .allMatch(
            entry -> {
              var before = snapshot.files().get(entry.path());
              return before != null
                  && before.defines().equals(entry.defines())
                  && before.mentions().equals(entry.mentions());
            });
  }

  private static SortedMap<String, Entry> texts(SortedMap<String, Entry> entries) {
    var texts = new TreeMap<String, Entry>();
    entries.values().stream().filter(Entry::isText).forEach(one -> texts.put(one.path(), one));
    return Collections.unmodifiableSortedMap(texts);
  }

  Snapshot snapshot() {
    return snapshot;
  }

  boolean isOnDisk() {
    return opened.onDisk();
  }

  /// Gives the directory back, once merges that go on are done and written: else a directory that
  /// is opened for every question would be in as many pieces as there were questions. Readers that
  /// somebody else holds stay open.
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
