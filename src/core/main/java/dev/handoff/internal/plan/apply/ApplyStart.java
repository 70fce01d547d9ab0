package dev.handoff.internal.plan.apply;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.plan.apply.EditExamination.Examined;
import dev.handoff.internal.plan.apply.RecoveryResult.Ending;
import dev.handoff.internal.plan.change.ContentReader;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;

/// Start of an apply: checks the target, and makes the staging directory.
record ApplyStart(
    FileOperations disk,
    TargetDirectory target,
    StagingNames names,
    FileEdits edits,
    ContentReader contents,
    CancellationToken stop) {

  private static final String INTERRUPTED =
      " is there: an apply of that name was interrupted, and is to be recovered first";

  /// @throws IOException if nothing was begun
  ApplyResult run() throws IOException {
    if (!target.isThere()) {
      var made = new NewTarget(disk, target.path(), names);
      if (made.isHidden()) {
        return new ApplyResult.Refused("\"" + names.root() + "\"" + INTERRUPTED);
      }
      return begin(EditExamination.ofNothing(edits), made::claim, made::open);
    }
    try (var tree = open()) {
      for (var name : names.inside()) {
        if (tree.root().look(name) != null) {
          return new ApplyResult.Refused("\"" + name + "\"" + INTERRUPTED);
        }
      }
      if (tree.root().look(names.kept()) != null) {
        return new ApplyResult.Refused(
            "\"%s\" is there, with originals of an earlier apply: look at them, and move them away"
                .formatted(names.kept()));
      }
      var staging = target.path().resolve(names.staging());
      return begin(
          EditExamination.of(tree, edits, stop),
          () -> disk.makeDirectory(staging, true),
          () -> LockedApply.in(open(), names.staging()));
    }
  }

  private DirectoryTree open() throws IOException {
    return new DirectoryTree(disk.open(target.path()));
  }

  /// Makes the first directory of the apply. Every later failure needs a cleanup.
  @FunctionalInterface
  private interface Claim {
    void make() throws IOException;
  }

  @FunctionalInterface
  private interface Opening {
    LockedApply open() throws IOException;
  }

  private ApplyResult begin(Examined examined, Claim claim, Opening opening) throws IOException {
    return switch (examined.verdict(edits)) {
      case DryRunResult.Fits fits -> write(examined, claim, opening);
      case DryRunResult.Already already -> new ApplyResult.Already();
      case DryRunResult.Conflicted(var conflicts) ->
          new ApplyResult.Conflicted(conflicts, List.of());
      case DryRunResult.Refused(var reason) -> new ApplyResult.Refused(reason);
    };
  }

  private ApplyResult write(Examined examined, Claim claim, Opening opening) throws IOException {
    stop.throwIfCancelled();
    try {
      claim.make();
    } catch (AccessDeniedException | FileAlreadyExistsException notForUs) {
      throw notForUs;
    } catch (IOException failure) {
      return cleared(failure);
    }
    try (var begun = opening.open()) {
      var moves = begun.places(new DirectoryMaker(disk, target.path(), names));
      var journal = ApplyJournal.of(names.apply(), edits, examined);
      return new ApplyTransaction(disk, target.path(), moves, names, journal)
          .run(new Staging(moves, contents, stop));
    } catch (IOException failure) {
      return cleared(failure);
    }
  }

  private ApplyResult cleared(IOException failure) {
    var recovered = ApplyRecovery.of(disk, target.path(), names, ApplyRecovery.Way.EITHER);
    return recovered.ending() == Ending.UNFINISHED
        ? new ApplyResult.Unfinished(FailureText.of(failure) + "; " + recovered.notes())
        : new ApplyResult.Undone(FailureText.of(failure), recovered.notes());
  }
}
