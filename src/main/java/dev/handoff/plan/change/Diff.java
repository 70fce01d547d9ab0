package dev.handoff.plan.change;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Differences between contents as a unified diff, which `git apply` and `patch -p1` take.
///
/// Contents that are no text are told by their sizes and hashes, in lines that those programs pass
/// over. Text is written as it is: whoever shows it on a screen escapes what does not belong there.
public final class Diff {

  private static final byte[] NOTHING = {};

  private Diff() {}

  /// Writes the diff, file by file in the given order. Blocks; holds a few files in memory at a
  /// time.
  ///
  /// @throws UnreadableChanges if a content is missing or damaged
  /// @throws dev.handoff.store.StoreException if the store is away
  /// @throws IOException if the writer throws it
  public static DiffReport write(List<Difference> files, Contents contents, Appendable out)
      throws IOException {
    var reports = new ArrayList<FileDiff>(files.size());
    for (var slice : Slices.of(files, Diff::bytes)) {
      var wanted = new Wanted();
      slice.forEach(file -> ask(file, wanted));
      var read = wanted.read(contents);
      for (var file : slice) {
        reports.add(write(file, read, out));
      }
    }
    return DiffReport.of(reports);
  }

  /// What differs, without the text of it. Blocks like [#write].
  public static DiffReport count(List<Difference> files, Contents contents) {
    try {
      return write(files, contents, Writer.nullWriter());
    } catch (IOException never) {
      throw new UncheckedIOException(never);
    }
  }

  private static long bytes(Difference file) {
    return Slices.bytes(file.before()) + Slices.bytes(file.after());
  }

  private static void ask(Difference file, Wanted wanted) {
    wanted.add(file.before(), "The content of \"" + file.path() + "\" before the change");
    wanted.add(file.after(), "The content of \"" + file.path() + "\" after the change");
  }

  private static FileDiff write(Difference file, Map<String, byte[]> contents, Appendable out)
      throws IOException {
    var text = new DiffText(file, out);
    var before = content(file.before(), contents);
    var after = content(file.after(), contents);
    if (!TextRule.isText(before) || !TextRule.isText(after)) {
      text.binary();
      return FileDiff.ofBinary(file);
    }
    var lines = new Lines(before);
    var newLines = new Lines(after);
    var diff = LineDiff.of(lines, newLines);
    text.lines(lines, newLines, diff);
    return FileDiff.ofLines(file, diff);
  }

  private static byte[] content(@Nullable ContentRef ref, Map<String, byte[]> contents) {
    return ref == null ? NOTHING : contents.get(ref.sha256());
  }
}
