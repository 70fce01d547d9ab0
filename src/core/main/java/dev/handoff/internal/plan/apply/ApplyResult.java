package dev.handoff.internal.plan.apply;

import java.util.List;

/// Outcome of writing edits.
public sealed interface ApplyResult {

  /// Complete apply: all changes are in place and synced to the disk.
  ///
  /// @param notes staging files that could not be removed; [EditableDirectory#recover] tries again
  record Written(Report report, List<String> notes) implements ApplyResult {
    public Written {
      notes = List.copyOf(notes);
    }
  }

  /// No change was needed.
  record Already() implements ApplyResult {}

  /// Apply prevented by conflicts: no file was written, or all files were restored.
  record Conflicted(List<FileConflict> conflicts, List<String> notes) implements ApplyResult {
    public Conflicted {
      conflicts = List.copyOf(conflicts);
      notes = List.copyOf(notes);
    }
  }

  /// Failed apply: no file was written, or all files were restored.
  ///
  /// @param notes files changed by other programs and therefore left alone, with the places of
  ///   their originals
  record Undone(String reason, List<String> notes) implements ApplyResult {
    public Undone {
      notes = List.copyOf(notes);
    }
  }

  /// Write failed, and so did its undo. [EditableDirectory#recover] continues the undo.
  record Unfinished(String reason) implements ApplyResult {}

  /// Nothing was tried.
  record Refused(String reason) implements ApplyResult {}

  /// Amount of written changes.
  ///
  /// @param bytes total size of the new contents
  record Report(int created, int modified, int deleted, long bytes) {}
}
