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
    var shape = shape(task, faults);
    var entry = entry(task, shape);
    var vectors = new ArrayList<float[]>();
    for (var passage : passages(task, shape)) {
      var answer = new Vectors(sources.embedder()).of(passage);
      answer.vector().ifPresent(vectors::add);
      if (answer.failed()) {
        faults.add(Skip.VECTOR);
      }
    }
    write(task, Documents.of(entry, shape.about(), task.text(), vectors));
    return new Done(entry, faults);
  }

  /// What a file says of itself is a passage of its own: elsewhere it stands among other things.
  private static List<String> passages(Task task, Shape shape) {
    var path = task.file().name();
    var passages = new ArrayList<String>();
    if (!shape.about().isEmpty() && !shape.about().equals(path)) {
      passages.add(shape.about());
    }
    Passages.of(task.text()).forEach(passage -> passages.add(path + "\n" + passage));
    return passages;
  }

  /// What is kept of an outline.
  private record Shape(Set<String> defines, Set<String> mentions, String about) {
    static final Shape NONE = new Shape(Set.of(), Set.of(), "");
  }

  private Shape shape(Task task, Set<Skip> faults) {
    try {
      var outline = Outliners.of(task.file().name(), task.text());
      var about = outline.at(Depth.SUMMARY, Set.of(), sources.vocabulary()::terms);
      return new Shape(outline.defines(), outline.mentions(), about);
    } catch (RuntimeException | StackOverflowError failed) {
      faults.add(Skip.OUTLINE);
      return Shape.NONE;
    }
  }

  private static Entry entry(Task task, Shape shape) {
    var file = task.file();
    return new Entry(
        file.name(),
        file.size(),
        file.modified(),
        task.read(),
        task.hash(),
        null,
        Documents.kept(shape.defines()),
        Documents.kept(shape.mentions()));
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
