package dev.handoff.context.workspace;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.Depth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;

/// Makes outlines, vectors and documents of files, and writes them.
record FileIndexing(Sources sources, IndexWriter writer, CancellationToken stop) {

  /// A file that was read.
  ///
  /// @param read when that began
  /// @param known whether there is an older one in the index
  record Task(Scan.Seen file, String text, String hash, long read, boolean known) {}

  /// A file that is in the index, and what went wrong on the way.
  record Done(Entry entry, Set<Skip> faults) {}

  /// Every n-th file of a batch.
  List<Done> part(List<Task> batch, int first, int step) {
    var done = new ArrayList<Done>();
    for (int at = first; at < batch.size(); at += step) {
      stop.throwIfCancelled();
      done.add(index(batch.get(at)));
    }
    return done;
  }

  private Done index(Task task) {
    var faults = EnumSet.noneOf(Skip.class);
    var entry = entry(task, faults);
    var vectors = new ArrayList<float[]>();
    for (var passage : passages(task)) {
      var answer = new Vectors(sources.embedder()).of(passage);
      answer.vector().ifPresent(vectors::add);
      if (answer.failed()) {
        faults.add(Skip.VECTOR);
      }
    }
    write(task, Documents.of(entry, task.text(), vectors));
    return new Done(entry, faults);
  }

  /// What a file says of itself is a passage of its own: elsewhere it stands among other things.
  private static List<String> passages(Task task) {
    var path = task.file().name();
    var passages = new ArrayList<String>();
    var summary = summary(path, task.text());
    if (!summary.equals(path)) {
      passages.add(summary);
    }
    Passages.of(task.text()).forEach(passage -> passages.add(path + "\n" + passage));
    return passages;
  }

  private static String summary(String path, String text) {
    try {
      return Outliners.of(path, text).at(Depth.SUMMARY, Set.of(), none -> Set.of());
    } catch (RuntimeException | StackOverflowError failed) {
      return path;
    }
  }

  private static Entry entry(Task task, Set<Skip> faults) {
    var file = task.file();
    Set<String> defines = Set.of();
    Set<String> mentions = Set.of();
    try {
      var outline = Outliners.of(file.name(), task.text());
      defines = outline.defines();
      mentions = outline.mentions();
    } catch (RuntimeException | StackOverflowError failed) {
      faults.add(Skip.OUTLINE);
    }
    return new Entry(
        file.name(),
        file.size(),
        file.modified(),
        task.read(),
        task.hash(),
        null,
        Documents.kept(defines),
        Documents.kept(mentions));
  }

  private void write(Task task, List<Document> documents) {
    try {
      if (task.known()) {
        writer.updateDocuments(new Term(Documents.FILE, task.file().name()), documents);
      } else {
        writer.addDocuments(documents);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
