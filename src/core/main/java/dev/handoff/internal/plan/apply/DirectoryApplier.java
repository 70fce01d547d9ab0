package dev.handoff.internal.plan.apply;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.cancel.CancelledException;
import dev.handoff.internal.plan.ApplyOutcome;
import dev.handoff.internal.plan.ApplyRunner;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.StartedApply;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.plan.UnreadableChanges;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writer of a plan's combined changes into a directory.
public final class DirectoryApplier implements ApplyRunner.Work {

  private static final Logger LOG = LoggerFactory.getLogger(DirectoryApplier.class);

  private final ContentReader contents;
  private final FileOperations disk;

  public DirectoryApplier(ContentReader contents) {
    this(contents, SecureDisk.INSTANCE);
  }

  DirectoryApplier(ContentReader contents, FileOperations disk) {
    this.contents = contents;
    this.disk = disk;
  }

  private EditableDirectory directory(String target) {
    return EditableDirectory.at(Path.of(target), disk);
  }

  @Override
  public ApplyOutcome check(PlanState plan, String target) {
    try {
      if (!interrupted(plan, target).isEmpty()) {
        return new ApplyOutcome.Undone(
            target,
            "an apply of this plan was interrupted there: the next one undoes it first",
            false);
      }
      return check(PendingEdits.of(plan, target, plan.book().chain().size(), contents), target);
    } catch (UnreadableChanges damaged) {
      return new ApplyOutcome.Undone(target, damaged.getMessage(), true);
    }
  }

  private ApplyOutcome check(PendingEdits wanted, String target) {
    if (!wanted.disagreements().isEmpty()) {
      return new ApplyOutcome.Conflicted(target, wanted.disagreements());
    }
    var stop = new CancellationSource().token();
    boolean isFree = wanted.altered().isEmpty();
    return switch (directory(target).check(wanted.edits(), stop)) {
      case DryRunResult.Fits fits when isFree -> new ApplyOutcome.Written(target, wanted.files());
      case DryRunResult.Already already when isFree -> wanted.already();
      case DryRunResult.Conflicted(var conflicts) when isFree && areDone(conflicts) ->
          check(wanted.without(conflicts), target);
      case DryRunResult.Conflicted(var conflicts) -> wanted.conflicted(conflicts);
      case DryRunResult.Refused(var reason) -> new ApplyOutcome.Undone(target, reason, false);
      case DryRunResult.Fits altered -> wanted.conflicted(List.of());
      case DryRunResult.Already altered -> wanted.conflicted(List.of());
    };
  }

  /// Returns whether every conflict is a file that already has its new content.
  private static boolean areDone(List<FileConflict> conflicts) {
    return conflicts.stream().allMatch(conflict -> conflict.found() == Obstacle.ALREADY);
  }

  @Override
  public ApplyOutcome write(PlanState plan, StartedApply apply, CancellationToken stop) {
    var former = interrupted(plan, apply.target());
    var outcome = write(plan, apply, former, stop);
    return !former.isEmpty() && outcome instanceof ApplyOutcome.Undone(var to, var why, var same)
        ? new ApplyOutcome.Undone(to, why, false)
        : outcome;
  }

  private ApplyOutcome write(
      PlanState plan, StartedApply apply, List<String> former, CancellationToken stop) {
    var target = apply.target();
    try {
      var left = notRecovered(former, target);
      if (left.isPresent()) {
        return new ApplyOutcome.Undone(target, left.get(), false);
      }
      var wanted = PendingEdits.of(plan, target, apply.sets(), contents);
      return wanted.disagreements().isEmpty() && wanted.altered().isEmpty()
          ? write(wanted, name(plan, apply), target, stop)
          : check(wanted, target);
    } catch (UnreadableChanges damaged) {
      return new ApplyOutcome.Undone(target, damaged.getMessage(), true);
    } catch (CancelledException cancelled) {
      return new ApplyOutcome.Undone(target, String.valueOf(cancelled.getMessage()), true);
    }
  }

  private List<String> interrupted(PlanState plan, String target) {
    return directory(target).interrupted(plan.id() + "-");
  }

  /// Undoes interrupted applies in this directory. It may have been unavailable during recovery;
  /// the plan then recorded the applies as undone, and its next apply relies on that.
  ///
  /// @return reason why an undo is not possible yet
  private Optional<String> notRecovered(List<String> former, String target) {
    for (var name : former) {
      var found = directory(target).undo(name);
      if (found.ending() == RecoveryResult.Ending.UNFINISHED) {
        return Optional.of(
            "apply %s was interrupted there: %s".formatted(name, String.join("; ", found.notes())));
      }
      LOG.warn("apply [{}] to [{}] was interrupted: {}", name, target, found);
    }
    return Optional.empty();
  }

  /// Writes the edits. An unfinished outcome is thrown and left to [#recover].
  private ApplyOutcome write(
      PendingEdits wanted, String name, String target, CancellationToken stop) {
    return switch (directory(target).write(name, wanted.edits(), wanted.contents(), stop)) {
      case ApplyResult.Written(var report, var notes) -> {
        notes.forEach(note -> LOG.warn("apply [{}] to [{}]: {}", name, target, note));
        yield new ApplyOutcome.Written(target, wanted.files());
      }
      case ApplyResult.Already already -> wanted.already();
      case ApplyResult.Conflicted(var conflicts, var notes) -> {
        notes.forEach(note -> LOG.warn("apply [{}] to [{}]: {}", name, target, note));
        yield areDone(conflicts)
            ? write(wanted.without(conflicts), name, target, stop)
            : wanted.conflicted(conflicts);
      }
      case ApplyResult.Undone(var reason, var notes) ->
          new ApplyOutcome.Undone(target, withNotes(reason, notes), notes.isEmpty());
      case ApplyResult.Refused(var reason) -> new ApplyOutcome.Undone(target, reason, false);
      case ApplyResult.Unfinished(var reason) -> throw new IllegalStateException(reason);
    };
  }

  @Override
  public ApplyOutcome recover(PlanState plan, StartedApply apply) {
    var target = apply.target();
    var found = directory(target).recover(name(plan, apply));
    found.notes().forEach(note -> LOG.warn("plan [{}], apply to {}: {}", plan.id(), target, note));
    return switch (found.ending()) {
      case FINISHED -> finished(plan, apply);
      case UNDONE ->
          new ApplyOutcome.Undone(
              target, withNotes("it was interrupted", found.notes()), found.notes().isEmpty());
      case NOTHING -> whatThereIs(plan, apply);
      case UNFINISHED -> throw new IllegalStateException(String.join("; ", found.notes()));
    };
  }

  private ApplyOutcome finished(PlanState plan, StartedApply apply) {
    try {
      var wanted = PendingEdits.of(plan, apply.target(), apply.sets(), contents);
      return new ApplyOutcome.Written(apply.target(), wanted.files());
    } catch (UnreadableChanges damaged) {
      LOG.warn("plan [{}]: {}", plan.id(), damaged.getMessage());
      return new ApplyOutcome.Written(apply.target(), List.of());
    }
  }

  /// Outcome of an apply without staging files: either it never wrote, or it ended. The files tell
  /// which. If the directory is unavailable now and returns half written, the next apply undoes it.
  private ApplyOutcome whatThereIs(PlanState plan, StartedApply apply) {
    var target = apply.target();
    try {
      var wanted = PendingEdits.of(plan, target, apply.sets(), contents);
      if (check(wanted, target) instanceof ApplyOutcome.Already) {
        return new ApplyOutcome.Written(target, wanted.files());
      }
      return new ApplyOutcome.Undone(
          target,
          Files.isDirectory(Path.of(target))
              ? "it was interrupted, and nothing of it is written"
              : "it was interrupted, and the directory is not there",
          false);
    } catch (UnreadableChanges damaged) {
      return new ApplyOutcome.Undone(target, damaged.getMessage(), false);
    }
  }

  private static String name(PlanState plan, StartedApply apply) {
    return plan.id() + "-" + apply.number();
  }

  private static String withNotes(String reason, List<String> notes) {
    return notes.isEmpty() ? reason : reason + "; " + String.join("; ", notes);
  }
}
