package dev.handoff.plan.apply;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// One apply, from a staging directory that has just been made to one that is gone.
///
/// @param path the real name of the root
record Applying(Disk disk, Path path, Places places, Names names, Journal journal) {

  Outcome run(Preparing preparing) {
    var steps = new Steps(places, journal, names);
    try {
      preparing.all(journal);
    } catch (IOException | RuntimeException failure) {
      return takenBack(failure, "preparing", steps.notes());
    }
    try {
      var staging = places.staging();
      staging.move(Names.JOURNAL, staging, Names.COMMIT);
      staging.sync();
      steps.finish();
      places.tree().root().move(names.staging(), places.tree().root(), names.done());
    } catch (IOException | RuntimeException failure) {
      return undone(failure, steps);
    }
    return new Outcome.Written(report(), cleared());
  }

  private Outcome undone(Exception failure, Steps steps) {
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

  /// Whoever comes later is to go on with undoing, and not to finish.
  void undo(Steps steps) throws IOException {
    var staging = places.staging();
    if (staging.look(Names.COMMIT) != null) {
      staging.move(Names.COMMIT, staging, Names.UNDO);
      staging.sync();
    }
    steps.undo();
  }

  private Outcome takenBack(Exception failure, String doing, List<String> left) {
    boolean interrupted = Thread.interrupted();
    try {
      var notes = new ArrayList<>(left);
      notes.addAll(retire());
      return failure instanceof ConflictException conflict
          ? new Outcome.Conflicted(List.of(conflict.conflict()), notes)
          : new Outcome.Undone(doing + ": " + Reasons.of(failure), notes);
    } catch (IOException | RuntimeException again) {
      return unfinished(failure, doing, again);
    } finally {
      restore(interrupted);
    }
  }

  private static Outcome unfinished(Exception failure, String doing, Exception again) {
    return new Outcome.Unfinished(
        "%s: %s; and it could not be taken back yet: %s"
            .formatted(doing, Reasons.of(failure), Reasons.of(again)));
  }

  private static void restore(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Nothing is in place: clears all away.
  List<String> retire() throws IOException {
    var root = places.tree().root();
    var clearing = new Clearing(root, names);
    clearing.spare();
    // What failed may have been done all the same.
    var staging = root.look(names.staging()) == null ? names.done() : names.staging();
    if (places.holds(Names.NEW_ROOT)) {
      var made = new NewRoot(disk, path, names);
      if (made.hide(root)) {
        var notes = clearing.undone(staging);
        made.remove();
        return notes;
      }
    }
    root.move(staging, root, names.undone());
    root.sync();
    return clearing.undone(names.undone());
  }

  /// Everything is in place, whatever comes now.
  private List<String> cleared() {
    boolean interrupted = Thread.interrupted();
    try {
      places.tree().root().sync();
      return new Clearing(places.tree().root(), names).done(names.done());
    } catch (IOException | RuntimeException failure) {
      return List.of(
          "\"%s\" is still to be cleared away: %s".formatted(names.done(), Reasons.of(failure)));
    } finally {
      restore(interrupted);
    }
  }

  private Outcome.Report report() {
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
    return new Outcome.Report(created, modified, deleted, bytes);
  }
}
