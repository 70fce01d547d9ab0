package dev.handoff.plan.apply;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// The steps of an apply, done and undone. Each is one rename between a place in the directory and
/// a slot in the staging directory; what is in the slots says which were done, so that both
/// directions can be taken up anywhere, any number of times.
final class Steps {

  private final Places places;
  private final Journal journal;
  private final FileSteps files;
  private final List<String> notes = new ArrayList<>();

  /// What was tried last.
  private String doing = "starting";

  Steps(Places places, Journal journal, Names names) {
    this.places = places;
    this.journal = journal;
    this.files = new FileSteps(places, names, notes);
  }

  String doing() {
    return doing;
  }

  List<String> notes() {
    return notes;
  }

  /// @throws ConflictException if somebody else changed something: then all is to be undone
  void finish() throws IOException {
    for (int i = 0; i < journal.edits().size(); i++) {
      if (edit(i).after() == null) {
        files.takeAway(i, edit(i));
      }
    }
    for (int i = 0; i < journal.emptied().size(); i++) {
      takeAwayDirectory(i);
    }
    for (int i = 0; i < journal.made().size(); i++) {
      placeDirectory(i);
    }
    for (int i = 0; i < journal.edits().size(); i++) {
      if (edit(i).after() != null) {
        if (edit(i).before() != null) {
          files.takeAway(i, edit(i));
        }
        files.place(i, edit(i));
      }
    }
    sync();
  }

  /// In reverse. What somebody else changed meanwhile is left alone, and noted.
  void undo() throws IOException {
    for (int i = journal.edits().size() - 1; i >= 0; i--) {
      if (edit(i).after() != null) {
        files.unplace(i, edit(i));
        if (edit(i).before() != null) {
          files.putBack(i, edit(i));
        }
      }
    }
    for (int i = journal.made().size() - 1; i >= 0; i--) {
      unplaceDirectory(i);
    }
    for (int i = journal.emptied().size() - 1; i >= 0; i--) {
      putBackDirectory(i);
    }
    for (int i = journal.edits().size() - 1; i >= 0; i--) {
      if (edit(i).after() == null) {
        files.putBack(i, edit(i));
      }
    }
    sync();
  }

  private FileEdit edit(int i) {
    var edit = journal.edits().get(i);
    doing = "moving \"" + edit.path() + "\"";
    return edit;
  }

  /// One that has got a new entry meanwhile stays, and so does one that cannot be moved: in a
  /// container those that came with its image. If a file is to take its place, that is where the
  /// conflict shows.
  private void takeAwayDirectory(int i) throws IOException {
    var path = directory(journal.emptied().get(i));
    try {
      if (!places.holds(Names.emptied(i))) {
        places.directoryToSlot(path, Names.emptied(i));
      }
    } catch (AtomicMoveNotSupportedException onlyCopied) {
      // It is empty.
    }
  }

  private void putBackDirectory(int i) throws IOException {
    var path = directory(journal.emptied().get(i));
    if (places.holds(Names.emptied(i))) {
      places.fromSlot(Names.emptied(i), path);
    }
  }

  /// If somebody else has made it meanwhile, it is theirs.
  private void placeDirectory(int i) throws IOException {
    var path = directory(journal.made().get(i));
    if (places.holds(Names.made(i))) {
      places.fromSlot(Names.made(i), path);
    }
  }

  private void unplaceDirectory(int i) throws IOException {
    var path = directory(journal.made().get(i));
    if (!places.holds(Names.made(i))) {
      var found = places.directoryToSlot(path, Names.made(i));
      if (found == Found.DIRECTORY) {
        notes.add("the directory \"" + path + "\" was left: somebody else has put something in it");
      }
    }
  }

  private String directory(String path) {
    doing = "moving the directory \"" + path + "\"";
    return path;
  }

  /// Names must be where they are for good before the slots are emptied.
  private void sync() throws IOException {
    var touched = new LinkedHashSet<List<String>>();
    journal.edits().forEach(edit -> touched.add(FilePath.of(edit.path()).directories()));
    journal.made().forEach(path -> touched.add(FilePath.of(path).directories()));
    journal.emptied().forEach(path -> touched.add(FilePath.of(path).directories()));
    for (var directories : touched) {
      doing = "syncing the directory \"" + String.join("/", directories) + "\"";
      sync(directories);
    }
    places.staging().sync();
  }

  private void sync(List<String> directories) throws IOException {
    try {
      places
          .tree()
          .in(
              directories,
              directory -> {
                directory.sync();
                return true;
              });
    } catch (BlockedException gone) {
      // That it is gone is in the directory above it.
    }
  }
}
