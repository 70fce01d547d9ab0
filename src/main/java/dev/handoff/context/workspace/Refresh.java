package dev.handoff.context.workspace;

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

/// Compares an index with its directory, reads the files that have changed, and writes what came of
/// them. Its stages follow each other; only the indexing of a batch of files runs on several
/// threads, which share nothing but Lucene's writer.
final class Refresh {

  private static final long BATCH_BYTES = 4 << 20;

  private final Sources sources;
  private final IndexWriter writer;
  private final SortedMap<String, Entry> before;
  private final CancellationToken stop;

  private final Notes notes = new Notes();
  private final SortedMap<String, Entry> after = new TreeMap<>();
  private final Map<String, String> names = new HashMap<>();
  private Iterator<Scan.Seen> seen = List.<Scan.Seen>of().iterator();
  private long total;
  private int read;
  private int indexed;
  private int written;

  Refresh(
      Sources sources,
      IndexWriter writer,
      SortedMap<String, Entry> before,
      CancellationToken stop) {
    this.sources = sources;
    this.writer = writer;
    this.before = before;
    this.stop = stop;
  }

  /// Looks at the directory. Not at what is in its files.
  void look() {
    try {
      var limits = sources.settings().limits();
      var scan = new Scan(sources.root(), sources.excluded(), limits, notes, stop);
      seen = scan.files().values().iterator();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /// Reads and indexes what has changed, one batch after the other.
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
        new Entry(
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

  /// Names that many files share are kept once.
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
        notes.add(Skip.BEYOND, file.name());
      } else if (known != null && known.isStill(file)) {
        keep(known);
      } else {
        bytes += look(file, known, batch);
      }
    }
    return batch;
  }

  private void keep(Entry entry) {
    after.put(entry.path(), entry);
    if (entry.skipped() == null) {
      total += entry.size();
    } else {
      notes.add(entry.skipped(), entry.path());
    }
  }

  /// When it was read is written only once that settles something: a file that is always new, as
  /// its time is in the future, would make every refresh write.
  private void keep(Entry known, Entry again) throws IOException {
    keep(again);
    if (known.modified() != again.modified() || !again.isRacy()) {
      writer.updateDocValues(
          new Term(Documents.PATH, again.path()), Documents.times(again).toArray(Field[]::new));
      written++;
    }
  }

  private long look(Scan.Seen file, @Nullable Entry known, List<FileIndexing.Task> batch)
      throws IOException {
    long now = sources.now();
    read++;
    switch (contents(file)) {
      case Contents.Skipped(var why) -> skip(file, why, now);
      case Contents.Text(var text, var hash, long bytes) -> {
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

  /// What says that it is empty is not opened: so do the files that a kernel makes up. Some of them
  /// hold secrets, and others make a reader wait for ever.
  private Contents contents(Scan.Seen file) {
    return file.size() == 0
        ? Contents.EMPTY
        : Contents.read(file.path(), sources.settings().limits().fileSize());
  }

  /// What is no text is remembered; what could not be read may be readable next time.
  private void skip(Scan.Seen file, Skip why, long now) throws IOException {
    if (why == Skip.BINARY) {
      var entry =
          new Entry(file.name(), file.size(), file.modified(), now, "", why, List.of(), List.of());
      keep(entry);
      writer.updateDocuments(new Term(Documents.FILE, file.name()), Documents.of(entry));
      written++;
    } else {
      notes.add(why, file.name());
    }
  }

  /// Takes what is no longer there out of the index.
  private void forget() throws IOException {
    for (var path : before.keySet()) {
      if (!after.containsKey(path)) {
        writer.deleteDocuments(new Term(Documents.FILE, path));
        written++;
      }
    }
  }

  List<String> notes() {
    return notes.lines();
  }

  SortedMap<String, Entry> entries() {
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
