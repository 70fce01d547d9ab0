package dev.handoff.plan.apply;

import java.util.List;

/// What a directory says to some edits before any of them is written.
public sealed interface Checked {

  /// Every file is as the edits expect it.
  record Fits() implements Checked {}

  /// Every file is already as the edits would make it. So it is, too, where there are no edits.
  record Already() implements Checked {}

  /// @param conflicts all there are, in the order of paths
  record Conflicted(List<FileConflict> conflicts) implements Checked {
    public Conflicted {
      conflicts = List.copyOf(conflicts);
    }
  }

  /// These edits are never written to this directory.
  record Refused(String reason) implements Checked {}
}
