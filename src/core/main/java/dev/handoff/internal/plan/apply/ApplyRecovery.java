package dev.handoff.internal.plan.apply;

import dev.handoff.internal.plan.apply.RecoveryResult.Ending;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Recovery of an interrupted apply: forward after its commit point if `way` allows it, else back.
///
/// @param target target directory of the apply
record ApplyRecovery(FileOperations disk, TargetDirectory target, StagingNames names, Way way) {

  /// Allowed directions.
  enum Way {
    EITHER,
    BACK
  }

  /// Runs the recovery. Failures are returned, not thrown, and an interrupt of the thread is
  /// deferred.
  ///
  /// @param root may be missing by now
  static RecoveryResult of(FileOperations disk, Path root, StagingNames names, Way way) {
    boolean interrupted = Thread.interrupted();
    try {
      return new ApplyRecovery(disk, TargetDirectory.of(root), names, way).run();
    } catch (TargetDirectory.UnusableException gone) {
      return new RecoveryResult(Ending.NOTHING, List.of(String.valueOf(gone.getMessage())));
    } catch (IOException | RuntimeException failure) {
      return new RecoveryResult(Ending.UNFINISHED, List.of(FailureText.of(failure)));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private RecoveryResult run() throws IOException {
    var notes = new ArrayList<String>();
    var made = new NewTarget(disk, target.path(), names);
    boolean wasHidden = isHidden(made);
    if (wasHidden) {
      notes.addAll(made.clear());
    }
    if (!target.isThere() && Files.exists(target.path(), LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("\"" + target.path() + "\" was made in the very moment");
    }
    var rest = target.isThere() ? inside() : new RecoveryResult(Ending.NOTHING, List.of());
    notes.addAll(rest.notes());
    boolean nothing = rest.ending() == Ending.NOTHING && wasHidden;
    return new RecoveryResult(nothing ? Ending.UNDONE : rest.ending(), notes);
  }

  private boolean isHidden(NewTarget made) throws IOException {
    try {
      return target.path().getParent() != null && made.isHidden();
    } catch (AccessDeniedException | NoHandlesException notForUs) {
      if (target.isThere()) {
        return false;
      }
      throw notForUs;
    }
  }

  private RecoveryResult inside() throws IOException {
    try (var tree = new DirectoryTree(disk.open(target.path()))) {
      var root = tree.root();
      for (var name : names.phases()) {
        if (root.look(name) != null) {
          return rest(tree, name);
        }
      }
      new Cleanup(root, names).spare();
      return new RecoveryResult(Ending.NOTHING, List.of());
    }
  }

  /// @param name current name of the staging directory
  private RecoveryResult rest(DirectoryTree tree, String name) throws IOException {
    var cleanup = new Cleanup(tree.root(), names);
    if (cleanup.removedEmpty(name)) {
      return new RecoveryResult(
          name.equals(names.done()) ? Ending.FINISHED : Ending.UNDONE, List.of());
    }
    try (var begun = LockedApply.in(tree, name)) {
      cleanup.spare();
      if (name.equals(names.undone())) {
        return new RecoveryResult(Ending.UNDONE, cleanup.undone(name));
      }
      var moves = begun.places(new DirectoryMaker(disk, target.path(), names));
      return name.equals(names.done()) && !moves.holds(StagingNames.UNDO)
          ? new RecoveryResult(Ending.FINISHED, cleanup.done(name))
          : interrupted(moves);
    }
  }

  private RecoveryResult interrupted(StagedMoves moves) throws IOException {
    if (moves.holds(StagingNames.UNDO)) {
      return back(moves, journal(moves, StagingNames.UNDO), List.of());
    }
    if (moves.holds(StagingNames.COMMIT)) {
      var journal = journal(moves, StagingNames.COMMIT);
      return way == Way.BACK ? back(moves, journal, List.of()) : forward(moves, journal);
    }
    var nothing = new ApplyJournal(1, names.apply(), List.of(), List.of(), List.of());
    return new RecoveryResult(Ending.UNDONE, applying(moves, nothing).retire());
  }

  private ApplyJournal journal(StagedMoves moves, String file) throws IOException {
    try {
      return ApplyJournal.read(moves.staging(), file);
    } catch (IOException damaged) {
      throw new IOException(
          "\"%s/%s\" cannot be used: %s; all is left as it is: see to the files in there by hand"
              .formatted(names.staging(), file, FailureText.of(damaged)),
          damaged);
    }
  }

  private ApplyTransaction applying(StagedMoves moves, ApplyJournal journal) {
    return new ApplyTransaction(disk, target.path(), moves, names, journal);
  }

  private RecoveryResult forward(StagedMoves moves, ApplyJournal journal) throws IOException {
    try {
      new MoveSteps(moves, journal, names).finish();
    } catch (ConflictException conflict) {
      return back(
          moves,
          journal,
          List.of("it could not be finished, so it was undone: " + conflict.getMessage()));
    }
    var root = moves.tree().root();
    root.move(names.staging(), root, names.done());
    root.sync();
    return new RecoveryResult(Ending.FINISHED, new Cleanup(root, names).done(names.done()));
  }

  private RecoveryResult back(StagedMoves moves, ApplyJournal journal, List<String> why)
      throws IOException {
    var steps = new MoveSteps(moves, journal, names);
    var applying = applying(moves, journal);
    applying.undo(steps);
    var notes = new ArrayList<>(why);
    notes.addAll(steps.notes());
    notes.addAll(applying.retire());
    return new RecoveryResult(Ending.UNDONE, notes);
  }
}
