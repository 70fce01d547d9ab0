package dev.handoff.internal.plan.apply;

import dev.handoff.internal.plan.change.FileEdit;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/// Rename steps of single files. A foreign file in the place is never replaced: forward it is a
/// conflict; backward it stays and is noted.
///
/// @param names names of the kept files in the notes
record FileSteps(StagedMoves moves, StagingNames names, List<String> notes) {

  /// Moves the original into its slot, then compares its content: in the slot, no other program can
  /// replace it.
  void takeAway(int i, FileEdit edit) throws IOException {
    var slot = StagingNames.original(i);
    if (!moves.holds(slot)) {
      var found = moves.fileToSlot(edit.path(), slot);
      if (found != null) {
        throw new ConflictException(new FileConflict(edit, found));
      }
    } else if (edit.after() != null && !moves.holds(StagingNames.content(i))) {
      return;
    }
    var actual = moves.content(slot);
    if (!Objects.equals(actual, edit.before())) {
      throw new ConflictException(
          new FileConflict(edit.path(), edit.before(), Obstacle.FILE, actual));
    }
  }

  void putBack(int i, FileEdit edit) throws IOException {
    var slot = StagingNames.original(i);
    if (moves.holds(slot) && moves.backFromSlot(slot, edit.path()) != null) {
      keep(slot, edit, "what it held before");
    }
  }

  void place(int i, FileEdit edit) throws IOException {
    var slot = StagingNames.content(i);
    if (moves.holds(slot)) {
      var found = moves.fromSlot(slot, edit.path());
      if (found != null) {
        throw new ConflictException(new FileConflict(edit, found));
      }
    }
  }

  /// Takes a new content back, if still unchanged in its place.
  void unplace(int i, FileEdit edit) throws IOException {
    var slot = StagingNames.taken(i);
    if (moves.holds(StagingNames.content(i)) || (!moves.holds(slot) && !take(i, edit, slot))) {
      return;
    }
    if (Objects.equals(moves.content(slot), edit.after())) {
      moves.staging().move(slot, moves.staging(), StagingNames.content(i));
    } else if (moves.fromSlot(slot, edit.path()) != null) {
      keep(slot, edit, "what somebody else had put there");
    } else {
      noteLeft(edit);
    }
  }

  private boolean take(int i, FileEdit edit, String slot) throws IOException {
    if (edit.before() != null && !moves.holds(StagingNames.original(i))) {
      // The original is already back in place.
      return false;
    }
    var found = moves.fileToSlot(edit.path(), slot);
    if (found != null && found != Obstacle.MISSING) {
      noteLeft(edit);
    }
    return found == null;
  }

  /// Notes a file left alone. With an original, a later note names the original's place.
  private void noteLeft(FileEdit edit) {
    if (edit.before() == null) {
      notes.add(leftAsItIs(edit));
    }
  }

  private void keep(String slot, FileEdit edit, String what) throws IOException {
    var kept = "kept-" + slot;
    moves.staging().move(slot, moves.staging(), kept);
    notes.add(leftAsItIs(edit) + "; " + what + " is in \"" + names.kept() + "/" + kept + "\"");
  }

  private static String leftAsItIs(FileEdit edit) {
    return "\"" + edit.path() + "\" was changed by somebody else meanwhile, and left as it is";
  }
}
