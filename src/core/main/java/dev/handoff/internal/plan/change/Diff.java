package dev.handoff.internal.plan.change;

import dev.handoff.plan.ContentRef;
import dev.handoff.plan.DiffReport;
import dev.handoff.plan.FileDiff;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Unified diff of contents, accepted by `git apply` and `patch -p1`.
///
/// Binary contents are described by size and hash, in lines that these programs skip. Text is
/// written unchanged: a terminal front end has to escape control characters.
public final class Diff {

  private static final byte[] NOTHING = {};

  private Diff() {}

  /// Writes the diff, file by file in the given order. Blocks; keeps a few files in memory at a
  /// time.
  ///
  /// @throws UnreadableChanges if a content is missing or damaged
  /// @throws dev.handoff.StoreException if the store is unavailable
  /// @throws IOException if the writer fails
  public static DiffReport write(List<FileEdit> files, ContentReader contents, Appendable out)
      throws IOException {
    var reports = new ArrayList<FileDiff>(files.size());
    for (var slice : MemorySlices.of(files, Diff::bytes)) {
      var wanted = new ContentRequest();
      slice.forEach(file -> ask(file, wanted));
      var read = wanted.read(contents);
      for (var file : slice) {
        reports.add(write(file, read, out));
      }
    }
    return new DiffReport(reports, DiffReport.Counts.of(reports));
  }

  /// Report without the diff text. Blocks like [#write].
  public static DiffReport count(List<FileEdit> files, ContentReader contents) {
    try {
      return write(files, contents, Writer.nullWriter());
    } catch (IOException never) {
      throw new UncheckedIOException(never);
    }
  }

  private static long bytes(FileEdit file) {
    return MemorySlices.bytes(file.before()) + MemorySlices.bytes(file.after());
  }

  private static void ask(FileEdit file, ContentRequest wanted) {
    wanted.add(file.before(), "The content of \"" + file.path() + "\" before the change");
    wanted.add(file.after(), "The content of \"" + file.path() + "\" after the change");
  }

  private static FileDiff write(FileEdit file, Map<String, byte[]> contents, Appendable out)
      throws IOException {
    var text = new DiffText(file, out);
    var before = content(file.before(), contents);
    var after = content(file.after(), contents);
    if (!TextRule.isText(before) || !TextRule.isText(after)) {
      text.binary();
      return FileDiffs.ofBinary(file);
    }
    var lines = new TextLines(before);
    var newLines = new TextLines(after);
    var diff = LineDiff.of(lines, newLines);
    text.lines(lines, newLines, diff);
    return FileDiffs.ofLines(file, diff);
  }

  private static byte[] content(@Nullable ContentRef ref, Map<String, byte[]> contents) {
    return ref == null ? NOTHING : contents.get(ref.sha256());
  }
}
