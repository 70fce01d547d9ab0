package dev.handoff.plan.apply;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.cancel.CancelledException;
import dev.handoff.plan.Applies;
import dev.handoff.plan.ApplyOutcome;
import dev.handoff.plan.Applying;
import dev.handoff.plan.PlanState;
import dev.handoff.plan.change.Contents;
import dev.handoff.plan.change.UnreadableChanges;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes what the changes of a plan come to into a directory.
public final class PlanWork implements Applies.Work {

  private static final Logger LOG = LoggerFactory.getLogger(PlanWork.class);

  private final Contents contents;
  private final Disk disk;

  public PlanWork(Contents contents) {
    this(contents, SecureDisk.INSTANCE);
  }

  PlanWork(Contents contents, Disk disk) {
    this.contents = contents;
    this.disk = disk;
  }

  private Directory directory(String target) {
    return Directory.at(Path.of(target), disk);
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
      return check(ToWrite.of(plan, target, plan.book().chain().size(), contents), target);
    } catch (UnreadableChanges damaged) {
      return new ApplyOutcome.Undone(target, damaged.getMessage(), true);
    }
  }

  private ApplyOutcome check(ToWrite wanted, String target) {
    if (!wanted.disagreements().isEmpty()) {
      return new ApplyOutcome.Conflicted(target, wanted.disagreements());
    }
    var stop = new CancellationSource().token();
    boolean isFree = wanted.altered().isEmpty();
    return switch (directory(target).check(wanted.edits(), stop)) {
      case Checked.Fits fits when isFree -> new ApplyOutcome.Written(target, wanted.files());
      case Checked.Already already when isFree -> wanted.already();
      case Checked.Conflicted(var conflicts) when isFree && areDone(conflicts) ->
          check(wanted.without(conflicts), target);
      case Checked.Conflicted(var conflicts) -> wanted.conflicted(conflicts);
      case Checked.Refused(var reason) -> new ApplyOutcome.Undone(target, reason, false);
      case Checked.Fits altered -> wanted.conflicted(List.of());
      case Checked.Already altered -> wanted.conflicted(List.of());
    };
  }

  /// Whether all of these are in the way only because they are already as they are to be.
  private static boolean areDone(List<FileConflict> conflicts) {
    return conflicts.stream().allMatch(conflict -> conflict.found() == Found.ALREADY);
  }

  @Override
  public ApplyOutcome write(PlanState plan, Applying apply, CancellationToken stop) {
    var former = interrupted(plan, apply.target());
    var outcome = write(plan, apply, former, stop);
    return !former.isEmpty() && outcome instanceof ApplyOutcome.Undone(var to, var why, var same)
        ? new ApplyOutcome.Undone(to, why, false)
        : outcome;
  }

  private ApplyOutcome write(
      PlanState plan, Applying apply, List<String> former, CancellationToken stop) {
    var target = apply.target();
    try {
      var left = notRecovered(former, target);
      if (left.isPresent()) {
        return new ApplyOutcome.Undone(target, left.get(), false);
      }
      var wanted = ToWrite.of(plan, target, apply.sets(), contents);
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

  /// The directory may have been away when the next start looked for what it had to finish there.
  /// The plan has been told that it is undone, and what it writes next rests on that.
  ///
  /// @return what still cannot be undone
  private Optional<String> notRecovered(List<String> former, String target) {
    for (var name : former) {
      var found = directory(target).undo(name);
      if (found.ending() == Recovered.Ending.UNFINISHED) {
        return Optional.of(
            "apply %s was interrupted there: %s".formatted(name, String.join("; ", found.notes())));
      }
      LOG.warn("apply [{}] to [{}] was interrupted: {}", name, target, found);
    }
    return Optional.empty();
  }

  /// What is neither written nor undone is left to [#recover].
  private ApplyOutcome write(ToWrite wanted, String name, String target, CancellationToken stop) {
    return switch (directory(target).write(name, wanted.edits(), wanted.contents(), stop)) {
      case Outcome.Written(var report, var notes) -> {
        notes.forEach(note -> LOG.warn("apply [{}] to [{}]: {}", name, target, note));
        yield new ApplyOutcome.Written(target, wanted.files());
      }
      case Outcome.Already already -> wanted.already();
      case Outcome.Conflicted(var conflicts, var notes) -> {
        notes.forEach(note -> LOG.warn("apply [{}] to [{}]: {}", name, target, note));
        yield areDone(conflicts)
            ? write(wanted.without(conflicts), name, target, stop)
            : wanted.conflicted(conflicts);
      }
      case Outcome.Undone(var reason, var notes) ->
          new ApplyOutcome.Undone(target, withNotes(reason, notes), notes.isEmpty());
      case Outcome.Refused(var reason) -> new ApplyOutcome.Undone(target, reason, false);
      case Outcome.Unfinished(var reason) -> throw new IllegalStateException(reason);
    };
  }

  @Override
  public ApplyOutcome recover(PlanState plan, Applying apply) {
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

  private ApplyOutcome finished(PlanState plan, Applying apply) {
    try {
      var wanted = ToWrite.of(plan, apply.target(), apply.sets(), contents);
      return new ApplyOutcome.Written(apply.target(), wanted.files());
    } catch (UnreadableChanges damaged) {
      LOG.warn("plan [{}]: {}", plan.id(), damaged.getMessage());
      return new ApplyOutcome.Written(apply.target(), List.of());
    }
  }

  /// It had not begun to write, or had ended: the files tell. Where there is no directory, and it
  /// comes back with something half done in it, the next apply undoes that.
  private ApplyOutcome whatThereIs(PlanState plan, Applying apply) {
    var target = apply.target();
    try {
      var wanted = ToWrite.of(plan, target, apply.sets(), contents);
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

  private static String name(PlanState plan, Applying apply) {
    return plan.id() + "-" + apply.number();
  }

  private static String withNotes(String reason, List<String> notes) {
    return notes.isEmpty() ? reason : reason + "; " + String.join("; ", notes);
  }
}
