package dev.handoff.plan.apply;

import java.util.List;

/// What became of some edits.
public sealed interface Outcome {

  /// Everything is in place, and on the disk.
  ///
  /// @param notes what could not be cleared away; [Directory#recover] tries again
  record Written(Report report, List<String> notes) implements Outcome {
    public Written {
      notes = List.copyOf(notes);
    }
  }

  /// Nothing was to be done.
  record Already() implements Outcome {}

  /// Nothing was written, or all of it was taken back.
  record Conflicted(List<FileConflict> conflicts, List<String> notes) implements Outcome {
    public Conflicted {
      conflicts = List.copyOf(conflicts);
      notes = List.copyOf(notes);
    }
  }

  /// Nothing was written, or all of it was taken back.
  ///
  /// @param notes files that somebody else changed meanwhile and that were therefore left alone,
  ///   and where their originals are
  record Undone(String reason, List<String> notes) implements Outcome {
    public Undone {
      notes = List.copyOf(notes);
    }
  }

  /// Something failed, and so did taking it back. [Directory#recover] goes on with that.
  record Unfinished(String reason) implements Outcome {}

  /// Nothing was tried.
  record Refused(String reason) implements Outcome {}

  /// How much was written.
  ///
  /// @param bytes of all new contents
  record Report(int created, int modified, int deleted, long bytes) {}
}
