package dev.handoff.internal.plan.apply;

import java.util.List;

/// Result of recovering an interrupted apply.
///
/// @param notes notes for the owner of the directory: files changed by other programs and therefore
///   left alone, with the places of their originals; or why the recovery failed
public record RecoveryResult(Ending ending, List<String> notes) {

  public RecoveryResult {
    notes = List.copyOf(notes);
  }

  /// Ending of an interrupted apply.
  public enum Ending {
    /// All changes are in place.
    FINISHED,
    /// All files are as before.
    UNDONE,
    /// No apply of that name was under way: it had ended or never started.
    /// [EditableDirectory#check] shows which.
    NOTHING,
    /// Recovery failed or is undecidable. Nothing is lost, and recovery can be repeated.
    UNFINISHED
  }
}
