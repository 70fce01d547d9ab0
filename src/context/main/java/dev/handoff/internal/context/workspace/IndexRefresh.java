package dev.handoff.internal.context.workspace;

import dev.handoff.cancel.CancellationToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.apache.lucene.document.Field;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.jspecify.annotations.Nullable;

/// Compares an index with its directory, reads changed files and writes the results. Stages run in
/// sequence. Only the indexing of a batch is parallel; its threads share just Lucene's writer.
final class IndexRefresh {

  private static final long BATCH_BYTES = 4 << 20;

  private final IndexedSources sources;
  private final IndexWriter writer;
  private final SortedMap<String, IndexEntry> before;
  private final CancellationToken stop;

  private final SkipNotes notes = new SkipNotes();
  private final SortedMap<String, IndexEntry> after = new TreeMap<>();
  private final Map<String, String> names = new HashMap<>();
  private Iterator<DirectoryScan.Seen> seen = List.<DirectoryScan.Seen>of().iterator();
  private long total;
  private int read;
  private int indexed;
  private int written;

  IndexRefresh(
      IndexedSources sources,
      IndexWriter writer,
      SortedMap<String, IndexEntry> before,
      CancellationToken stop) {
    this.sources = sources;
    this.writer = writer;
    this.before = before;
    this.stop = stop;
  }

  /// Scans the directory without opening files.
  void look() {
    try {
      var limits = sources.settings().limits();
      var scan = new DirectoryScan(sources.root(), sources.excluded(), limits, notes, stop);
      seen = scan.files().values().iterator();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /// Reads and indexes the changed files, batch by batch.
  CompletionStage<Void> index() {
    try {
      var batch = nextBatch();
      if (batch.isEmpty()) {
        forget();
        return CompletableFuture.completedFuture(null);
      }
      return indexed(batch).thenCompose(done -> index());
    } catch (IOException failed) {
      return CompletableFuture.failedFuture(failed);
    }
  }

  private CompletionStage<Void> indexed(List<FileIndexing.Task> batch) {
    var indexing = new FileIndexing(sources, writer, stop);
    int threads = Math.min(batch.size(), sources.settings().threads());
    var parts =
        IntStream.range(0, threads)
            .mapToObj(
                part ->
                    CompletableFuture.supplyAsync(
                        () -> indexing.part(batch, part, threads), WorkspaceIndex.THREADS))
            .toList();
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
        .thenRun(() -> parts.forEach(part -> part.resultNow().forEach(this::keep)));
  }

  private void keep(FileIndexing.Done done) {
    var entry = done.entry();
    after.put(
        entry.path(),
        new IndexEntry(
            entry.path(),
            entry.size(),
            entry.modified(),
            entry.read(),
            entry.hash(),
            null,
            entry.defines().stream().map(this::once).toList(),
            entry.mentions().stream().map(this::once).toList()));
    done.faults().forEach(why -> notes.add(why, entry.path()));
    indexed++;
    written++;
  }

  /// Interns names shared by many files.
  private String once(String name) {
    return names.computeIfAbsent(name, first -> first);
  }

  private List<FileIndexing.Task> nextBatch() throws IOException {
    var batch = new ArrayList<FileIndexing.Task>();
    long bytes = 0;
    while (seen.hasNext() && bytes < BATCH_BYTES) {
      stop.throwIfCancelled();
      var file = seen.next();
      var known = before.get(file.name());
      if (total + file.size() > sources.settings().limits().totalSize()) {
        notes.add(SkipReason.BEYOND, file.name());
      } else if (known != null && known.isStill(file)) {
        keep(known);
      } else {
        bytes += look(file, known, batch);
      }
    }
    return batch;
  }

  private void keep(IndexEntry entry) {
    after.put(entry.path(), entry);
    if (entry.skipped() == null) {
      total += entry.size();
    } else {
      notes.add(entry.skipped(), entry.path());
    }
  }

  /// Keeps an unchanged file. Its new read time is written only if it settles the change detection:
  /// otherwise a file with a future time would cause a write on every refresh.
  private void keep(IndexEntry known, IndexEntry again) throws IOException {
    keep(again);
    if (known.modified() != again.modified() || !again.isRacy()) {
      writer.updateDocValues(
          new Term(IndexDocuments.PATH, again.path()),
          IndexDocuments.times(again).toArray(Field[]::new));
      written++;
    }
  }

  private long look(
      DirectoryScan.Seen file, @Nullable IndexEntry known, List<FileIndexing.Task> batch)
      throws IOException {
    long now = sources.now();
    read++;
    switch (contents(file)) {
      case FileReads.Skipped(var why) -> skip(file, why, now);
      case FileReads.Text(var text, var hash, long bytes) -> {
        if (known != null && known.isText() && known.hash().equals(hash)) {
          keep(known, known.seenAgain(file, now));
        } else {
          total += bytes;
          batch.add(new FileIndexing.Task(file, text, hash, now, known != null));
          return bytes;
        }
      }
    }
    return 0;
  }

  /// Does not open files of size 0. Kernel files (such as `/proc`) report size 0; some contain
  /// secrets, others block the reader forever.
  private FileReads contents(DirectoryScan.Seen file) {
    return file.size() == 0
        ? FileReads.EMPTY
        : FileReads.read(file.path(), sources.settings().limits().fileSize());
  }

  /// Records a binary file in the index. An unreadable file is not recorded and gets another try.
  private void skip(DirectoryScan.Seen file, SkipReason why, long now) throws IOException {
    if (why == SkipReason.BINARY) {
      var entry =
          new IndexEntry(
              file.name(), file.size(), file.modified(), now, "", why, List.of(), List.of());
      keep(entry);
      writer.updateDocuments(new Term(IndexDocuments.FILE, file.name()), IndexDocuments.of(entry));
      written++;
    } else {
      notes.add(why, file.name());
    }
  }

  /// Removes deleted files from the index.
  private void forget() throws IOException {
    for (var path : before.keySet()) {
      if (!after.containsKey(path)) {
        writer.deleteDocuments(new Term(IndexDocuments.FILE, path));
        written++;
      }
    }
  }

  List<String> notes() {
    return notes.lines();
  }

  SortedMap<String, IndexEntry> entries() {
    return after;
  }

  boolean wrote() {
    return written > 0;
  }

  int read() {
    return read;
  }

  int indexed() {
    return indexed;
  }
}
