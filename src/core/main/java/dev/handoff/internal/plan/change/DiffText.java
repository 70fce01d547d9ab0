package dev.handoff.internal.plan.change;

import dev.handoff.plan.ContentRef;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Part of a unified diff for one file.
final class DiffText {

  private static final String NO_FILE = "/dev/null";

  private final FileEdit file;
  private final Appendable out;

  DiffText(FileEdit file, Appendable out) {
    this.file = file;
    this.out = out;
  }

  void binary() throws IOException {
    line("Binary files " + shown(file.before(), "a/") + " and " + shown(file.after(), "b/"));
  }

  void lines(TextLines before, TextLines after, LineDiff diff) throws IOException {
    if (diff.coarse()) {
      line("Too different to be compared line by line, shown as replaced:");
    }
    header();
    if (!diff.blocks().isEmpty()) {
      line("--- " + name(file.before(), "a/", true));
      line("+++ " + name(file.after(), "b/", true));
      new DiffHunks(before, after, out).write(diff.blocks());
    } else if (file.before() == null || file.after() == null) {
      line("index " + id(file.before()) + ".." + id(file.after()));
    }
  }

  /// Git object id of a missing file, and of an empty one. Without this line some programs assume
  /// that a file without lines was already created or deleted.
  private static String id(@Nullable ContentRef content) {
    return content == null ? "0000000" : "e69de29";
  }

  /// Writes git's header: the plain format cannot express that an empty file is created or deleted.
  private void header() throws IOException {
    var name = FileName.word("a/" + file.path());
    line("diff --git " + name + " " + FileName.word("b/" + file.path()));
    if (file.before() == null) {
      line("new file mode 100644");
    } else if (file.after() == null) {
      line("deleted file mode 100644");
    }
  }

  private String shown(@Nullable ContentRef content, String side) {
    var name = name(content, side, false);
    return content == null
        ? name
        : name + " (" + content.bytes() + " bytes, sha256 " + content.sha256() + ")";
  }

  private String name(@Nullable ContentRef content, String side, boolean ended) {
    if (content == null) {
      return NO_FILE;
    }
    return ended ? FileName.ended(side + file.path()) : FileName.quoted(side + file.path());
  }

  private void line(String text) throws IOException {
    out.append(text).append('\n');
  }
}
