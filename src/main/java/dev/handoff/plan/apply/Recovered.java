package dev.handoff.plan.apply;

import java.util.List;

/// What became of an apply that was interrupted.
///
/// @param notes what whoever looks after the directory should know: files that somebody else
///   changed and that were therefore left alone, and where their originals are; or why it could not
///   be ended
public record Recovered(Ending ending, List<String> notes) {

  public Recovered {
    notes = List.copyOf(notes);
  }

  /// How it ended.
  public enum Ending {
    /// Everything is in place.
    FINISHED,
    /// Everything is as it was before.
    UNDONE,
    /// No apply of that name was under way: it ended before, or never began. [Directory#check]
    /// tells which.
    NOTHING,
    /// It failed, or cannot be told: nothing was lost, and it can be called again.
    UNFINISHED
  }
}
