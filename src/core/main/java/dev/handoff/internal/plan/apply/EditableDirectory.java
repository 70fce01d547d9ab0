package dev.handoff.internal.plan.apply;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.cancel.CancelledException;
import dev.handoff.internal.plan.apply.RecoveryResult.Ending;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.internal.plan.change.FileEdit;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;

/// Target directory of edits, written all or nothing. Blocks: not for an actor's thread. Applies of
/// the same name exclude each other. Applies of different names detect each other's changes, like
/// changes by any other program.
///
/// A modified file keeps its permissions, and its owner as far as this user may set it. A new file
/// gets default permissions, so none is executable. Hard links of a file keep the old content.
public final class EditableDirectory {

  private final Path root;
  private final FileOperations disk;

  private EditableDirectory(Path root, FileOperations disk) {
    this.root = root;
    this.disk = disk;
  }

  /// @param root may be a link to a directory, or may not exist yet; no link below it is followed
  public static EditableDirectory at(Path root) {
    return at(root, SecureDisk.INSTANCE);
  }

  static EditableDirectory at(Path root, FileOperations disk) {
    return new EditableDirectory(root, disk);
  }

  /// Compares edits with the directory. Writes nothing.
  ///
  /// @throws CancelledException if `stop` is cancelled
  public DryRunResult check(List<FileEdit> list, CancellationToken stop) {
    var edits = new FileEdits(list);
    var problem = edits.problem();
    if (problem.isPresent()) {
      return new DryRunResult.Refused(problem.get());
    }
    try {
      var target = TargetDirectory.of(root);
      if (!target.isThere()) {
        return EditExamination.ofNothing(edits).verdict(edits);
      }
      try (var tree = new DirectoryTree(disk.open(target.path()))) {
        return EditExamination.of(tree, edits, stop).verdict(edits);
      }
    } catch (TargetDirectory.UnusableException | IOException unusable) {
      return new DryRunResult.Refused(refusal(unusable));
    }
  }

  private String refusal(Exception unusable) {
    return unusable instanceof TargetDirectory.UnusableException
            || unusable instanceof NoHandlesException
        ? String.valueOf(unusable.getMessage())
        : "\"" + root + "\" cannot be used: " + FailureText.of(unusable);
  }

  /// Writes edits. A missing root is created; its parent must exist.
  ///
  /// @param name name of this apply, needed for recovery; letters, digits, `.`, `_` and `-`
  /// @param stop checked until the commit point
  public ApplyResult write(
      String name, List<FileEdit> list, ContentReader contents, CancellationToken stop) {
    var edits = new FileEdits(list);
    var problem = FileEdits.problem(name).or(edits::problem);
    if (problem.isPresent()) {
      return new ApplyResult.Refused(problem.get());
    }
    try {
      var writing =
          new ApplyStart(
              disk, TargetDirectory.of(root), new StagingNames(name), edits, contents, stop);
      return writing.run();
    } catch (CancelledException cancelled) {
      return new ApplyResult.Undone(FailureText.of(cancelled), List.of());
    } catch (TargetDirectory.UnusableException
        | NoHandlesException
        | AccessDeniedException
        | FileAlreadyExistsException unusable) {
      return new ApplyResult.Refused(refusal(unusable));
    } catch (IOException failure) {
      return new ApplyResult.Undone(refusal(failure), List.of());
    }
  }

  /// Names of interrupted applies that no recovery has reached, because the directory was missing
  /// then. Empty if the directory cannot be read.
  ///
  /// @param prefix prefix of the names
  public List<String> interrupted(String prefix) {
    try {
      var target = TargetDirectory.of(root);
      if (!target.isThere()) {
        return List.of();
      }
      try (var tree = new DirectoryTree(disk.open(target.path()))) {
        return StagingNames.left(tree.root().names())
            .filter(name -> name.startsWith(prefix))
            .toList();
      }
    } catch (TargetDirectory.UnusableException | IOException unusable) {
      return List.of();
    }
  }

  /// Finishes or undoes an apply that a crash or a failed undo interrupted. Idempotent; valid at
  /// any time except while that apply is running.
  public RecoveryResult recover(String name) {
    var problem = FileEdits.problem(name);
    if (problem.isPresent()) {
      return new RecoveryResult(Ending.NOTHING, List.of(problem.get()));
    }
    return ApplyRecovery.of(disk, root, new StagingNames(name), ApplyRecovery.Way.EITHER);
  }

  /// Undoes an interrupted apply already reported as undone. The apply is finished only if all its
  /// files had been written.
  RecoveryResult undo(String name) {
    return ApplyRecovery.of(disk, root, new StagingNames(name), ApplyRecovery.Way.BACK);
  }
}
