package dev.handoff.internal.plan.apply;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Transaction of one apply, from a fresh staging directory to its removal.
///
/// @param path real path of the root
record ApplyTransaction(
    FileOperations disk, Path path, StagedMoves moves, StagingNames names, ApplyJournal journal) {

  ApplyResult run(Staging preparing) {
    var steps = new MoveSteps(moves, journal, names);
    try {
      preparing.all(journal);
    } catch (IOException | RuntimeException failure) {
      return takenBack(failure, "preparing", steps.notes());
    }
    try {
      var staging = moves.staging();
      staging.move(StagingNames.JOURNAL, staging, StagingNames.COMMIT);
      staging.sync();
      steps.finish();
      moves.tree().root().move(names.staging(), moves.tree().root(), names.done());
    } catch (IOException | RuntimeException failure) {
      return undone(failure, steps);
    }
    return new ApplyResult.Written(report(), cleared());
  }

  private ApplyResult undone(Exception failure, MoveSteps steps) {
    var doing = steps.doing();
    boolean interrupted = Thread.interrupted();
    try {
      undo(steps);
      return takenBack(failure, doing, steps.notes());
    } catch (IOException | RuntimeException again) {
      return unfinished(failure, doing, again);
    } finally {
      restore(interrupted);
    }
  }

  /// Undoes the apply. The journal is renamed first: a later recovery then continues the undo and
  /// never finishes the apply.
  void undo(MoveSteps steps) throws IOException {
    var staging = moves.staging();
    if (staging.look(StagingNames.COMMIT) != null) {
      staging.move(StagingNames.COMMIT, staging, StagingNames.UNDO);
      staging.sync();
    }
    steps.undo();
  }

  private ApplyResult takenBack(Exception failure, String doing, List<String> left) {
    boolean interrupted = Thread.interrupted();
    try {
      var notes = new ArrayList<>(left);
      notes.addAll(retire());
      return failure instanceof ConflictException conflict
          ? new ApplyResult.Conflicted(List.of(conflict.conflict()), notes)
          : new ApplyResult.Undone(doing + ": " + FailureText.of(failure), notes);
    } catch (IOException | RuntimeException again) {
      return unfinished(failure, doing, again);
    } finally {
      restore(interrupted);
    }
  }

  private static ApplyResult unfinished(Exception failure, String doing, Exception again) {
    return new ApplyResult.Unfinished(
        "%s: %s; and it could not be taken back yet: %s"
            .formatted(doing, FailureText.of(failure), FailureText.of(again)));
  }

  private static void restore(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Removes all staging files of an apply without changes in place.
  List<String> retire() throws IOException {
    var root = moves.tree().root();
    var cleanup = new Cleanup(root, names);
    cleanup.spare();
    // A failed rename may have taken effect all the same.
    var staging = root.look(names.staging()) == null ? names.done() : names.staging();
    if (moves.holds(StagingNames.NEW_ROOT)) {
      var made = new NewTarget(disk, path, names);
      if (made.hide(root)) {
        var notes = cleanup.undone(staging);
        made.remove();
        return notes;
      }
    }
    root.move(staging, root, names.undone());
    root.sync();
    return cleanup.undone(names.undone());
  }

  /// Clears the staging directory of a complete apply. A failure leaves only a note.
  private List<String> cleared() {
    boolean interrupted = Thread.interrupted();
    try {
      moves.tree().root().sync();
      return new Cleanup(moves.tree().root(), names).done(names.done());
    } catch (IOException | RuntimeException failure) {
      return List.of(
          "\"%s\" is still to be cleared away: %s"
              .formatted(names.done(), FailureText.of(failure)));
    } finally {
      restore(interrupted);
    }
  }

  private ApplyResult.Report report() {
    int created = 0;
    int modified = 0;
    int deleted = 0;
    long bytes = 0;
    for (var edit : journal.edits()) {
      if (edit.after() == null) {
        deleted++;
      } else {
        bytes += edit.after().bytes();
        created += edit.before() == null ? 1 : 0;
        modified += edit.before() == null ? 0 : 1;
      }
    }
    return new ApplyResult.Report(created, modified, deleted, bytes);
  }
}
