package dev.handoff.internal.context.workspace;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.SearchDepth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;

/// Creates outlines, vectors and Lucene documents of files, and writes the documents.
record FileIndexing(IndexedSources sources, IndexWriter writer, CancellationToken stop) {

  /// A file to index.
  ///
  /// @param read start time of the read
  /// @param known whether the index has an older version
  record Task(DirectoryScan.Seen file, String text, String hash, long read, boolean known) {}

  /// An indexed file and the errors of its indexing.
  record Done(IndexEntry entry, Set<SkipReason> faults) {}

  /// Indexes every `step`-th file of a batch.
  List<Done> part(List<Task> batch, int first, int step) {
    var done = new ArrayList<Done>();
    for (int at = first; at < batch.size(); at += step) {
      stop.throwIfCancelled();
      done.add(index(batch.get(at)));
    }
    return done;
  }

  private Done index(Task task) {
    var faults = EnumSet.noneOf(SkipReason.class);
    var shape = shape(task, faults);
    var entry = entry(task, shape);
    var vectors = new ArrayList<float[]>();
    for (var passage : passages(task, shape)) {
      var answer = new CheckedEmbedder(sources.embedder()).of(passage);
      answer.vector().ifPresent(vectors::add);
      if (answer.failed()) {
        faults.add(SkipReason.VECTOR);
      }
    }
    write(task, IndexDocuments.of(entry, shape.about(), task.text(), vectors));
    return new Done(entry, faults);
  }

  /// Passages to embed. The file's first sentence is a passage of its own, so that its vector is
  /// not diluted by other text.
  private static List<String> passages(Task task, Shape shape) {
    var path = task.file().name();
    var passages = new ArrayList<String>();
    if (!shape.about().isEmpty() && !shape.about().equals(path)) {
      passages.add(shape.about());
    }
    TextPassages.of(task.text()).forEach(passage -> passages.add(path + "\n" + passage));
    return passages;
  }

  /// Stored parts of an outline.
  private record Shape(Set<String> defines, Set<String> mentions, String about) {
    static final Shape NONE = new Shape(Set.of(), Set.of(), "");
  }

  private Shape shape(Task task, Set<SkipReason> faults) {
    try {
      var outline = FileOutliners.of(task.file().name(), task.text());
      var about = outline.at(SearchDepth.SUMMARY, Set.of(), sources.vocabulary()::terms);
      return new Shape(outline.defines(), outline.mentions(), about);
    } catch (RuntimeException | StackOverflowError failed) {
      faults.add(SkipReason.OUTLINE);
      return Shape.NONE;
    }
  }

  private static IndexEntry entry(Task task, Shape shape) {
    var file = task.file();
    return new IndexEntry(
        file.name(),
        file.size(),
        file.modified(),
        task.read(),
        task.hash(),
        null,
        IndexDocuments.kept(shape.defines()),
        IndexDocuments.kept(shape.mentions()));
  }

  private void write(Task task, List<Document> documents) {
    try {
      if (task.known()) {
        writer.updateDocuments(new Term(IndexDocuments.FILE, task.file().name()), documents);
      } else {
        writer.addDocuments(documents);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
