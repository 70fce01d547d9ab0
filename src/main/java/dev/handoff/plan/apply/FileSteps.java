package dev.handoff.plan.apply;

import java.io.IOException;
import java.util.List;
import java.util.Objects;

/// The steps that move files. What somebody else has put into the place of a file is never
/// replaced: going forward it is a conflict, and on the way back it is left and noted.
///
/// @param names where what is kept will be
record FileSteps(Places places, Names names, List<String> notes) {

  /// What is taken away is compared after that, when nobody can put another file in its place any
  /// more.
  void takeAway(int i, FileEdit edit) throws IOException {
    var slot = Names.original(i);
    if (!places.holds(slot)) {
      var found = places.fileToSlot(edit.path(), slot);
      if (found != null) {
        throw new ConflictException(new FileConflict(edit, found));
      }
    } else if (edit.after() != null && !places.holds(Names.content(i))) {
      return;
    }
    var actual = places.content(slot);
    if (!Objects.equals(actual, edit.before())) {
      throw new ConflictException(new FileConflict(edit.path(), edit.before(), Found.FILE, actual));
    }
  }

  void putBack(int i, FileEdit edit) throws IOException {
    var slot = Names.original(i);
    if (places.holds(slot) && places.backFromSlot(slot, edit.path()) != null) {
      keep(slot, edit, "what it held before");
    }
  }

  void place(int i, FileEdit edit) throws IOException {
    var slot = Names.content(i);
    if (places.holds(slot)) {
      var found = places.fromSlot(slot, edit.path());
      if (found != null) {
        throw new ConflictException(new FileConflict(edit, found));
      }
    }
  }

  /// Takes back what was put into place, if it still is what was put there.
  void unplace(int i, FileEdit edit) throws IOException {
    var slot = Names.taken(i);
    if (places.holds(Names.content(i)) || (!places.holds(slot) && !take(i, edit, slot))) {
      return;
    }
    if (Objects.equals(places.content(slot), edit.after())) {
      places.staging().move(slot, places.staging(), Names.content(i));
    } else if (places.fromSlot(slot, edit.path()) != null) {
      keep(slot, edit, "what somebody else had put there");
    } else {
      noteLeft(edit);
    }
  }

  private boolean take(int i, FileEdit edit, String slot) throws IOException {
    if (edit.before() != null && !places.holds(Names.original(i))) {
      // Its original is back in place.
      return false;
    }
    var found = places.fileToSlot(edit.path(), slot);
    if (found != null && found != Found.MISSING) {
      noteLeft(edit);
    }
    return found == null;
  }

  /// If there is an original, a note will say where it is.
  private void noteLeft(FileEdit edit) {
    if (edit.before() == null) {
      notes.add(leftAsItIs(edit));
    }
  }

  private void keep(String slot, FileEdit edit, String what) throws IOException {
    var kept = "kept-" + slot;
    places.staging().move(slot, places.staging(), kept);
    notes.add(leftAsItIs(edit) + "; " + what + " is in \"" + names.kept() + "/" + kept + "\"");
  }

  private static String leftAsItIs(FileEdit edit) {
    return "\"" + edit.path() + "\" was changed by somebody else meanwhile, and left as it is";
  }
}
