package dev.handoff.internal.plan.change;

import dev.handoff.plan.FileDiff;

/// Makes the report of one file's difference.
final class FileDiffs {

  private FileDiffs() {}

  static FileDiff ofLines(FileEdit file, LineDiff lines) {
    int added = lines.blocks().stream().mapToInt(LineBlock::added).sum();
    int removed = lines.blocks().stream().mapToInt(LineBlock::removed).sum();
    return of(file, added, removed, false, lines.coarse());
  }

  static FileDiff ofBinary(FileEdit file) {
    return of(file, 0, 0, true, false);
  }

  private static FileDiff of(
      FileEdit file, int added, int removed, boolean binary, boolean coarse) {
    return new FileDiff(
        file.path(), kind(file), file.before(), file.after(), added, removed, binary, coarse);
  }

  private static FileDiff.Kind kind(FileEdit file) {
    if (file.before() == null) {
      return FileDiff.Kind.CREATED;
    }
    return file.after() == null ? FileDiff.Kind.DELETED : FileDiff.Kind.MODIFIED;
  }
}
