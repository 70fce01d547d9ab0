package dev.handoff.internal.plan.apply;

import java.util.List;

/// Result of comparing edits with a directory before any write.
public sealed interface DryRunResult {

  /// Every file matches its `before` content.
  record Fits() implements DryRunResult {}

  /// Every file already has its `after` content; also the result for no edits.
  record Already() implements DryRunResult {}

  /// @param conflicts all conflicts, sorted by path
  record Conflicted(List<FileConflict> conflicts) implements DryRunResult {
    public Conflicted {
      conflicts = List.copyOf(conflicts);
    }
  }

  /// Invalid edits for this directory.
  record Refused(String reason) implements DryRunResult {}
}
