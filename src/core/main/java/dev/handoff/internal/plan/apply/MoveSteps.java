package dev.handoff.internal.plan.apply;

import dev.handoff.internal.plan.change.FileEdit;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// Rename steps of an apply, forward and back. Each is one rename between a place in the directory
/// and a slot in the staging directory. The slots show which steps are done, so both directions are
/// idempotent and can resume anywhere.
final class MoveSteps {

  private final StagedMoves moves;
  private final ApplyJournal journal;
  private final FileSteps files;
  private final List<String> notes = new ArrayList<>();

  /// Current step, for failure messages.
  private String doing = "starting";

  MoveSteps(StagedMoves moves, ApplyJournal journal, StagingNames names) {
    this.moves = moves;
    this.journal = journal;
    this.files = new FileSteps(moves, names, notes);
  }

  String doing() {
    return doing;
  }

  List<String> notes() {
    return notes;
  }

  /// @throws ConflictException if another program changed a file: the apply must be undone
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

  /// Undoes the steps in reverse. Files changed by other programs are left alone and noted.
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

  /// Removes an empty directory. It stays if it has a new entry, or if it cannot be renamed, such
  /// as a directory of a container image. If a file needs the place, that file's step reports the
  /// conflict.
  private void takeAwayDirectory(int i) throws IOException {
    var path = directory(journal.emptied().get(i));
    try {
      if (!moves.holds(StagingNames.emptied(i))) {
        moves.directoryToSlot(path, StagingNames.emptied(i));
      }
    } catch (AtomicMoveNotSupportedException onlyCopied) {
      // The directory stays, and is empty.
    }
  }

  private void putBackDirectory(int i) throws IOException {
    var path = directory(journal.emptied().get(i));
    if (moves.holds(StagingNames.emptied(i))) {
      moves.fromSlot(StagingNames.emptied(i), path);
    }
  }

  /// Places a new directory, or accepts a directory that another program made meanwhile.
  private void placeDirectory(int i) throws IOException {
    var path = directory(journal.made().get(i));
    if (moves.holds(StagingNames.made(i))) {
      moves.fromSlot(StagingNames.made(i), path);
    }
  }

  private void unplaceDirectory(int i) throws IOException {
    var path = directory(journal.made().get(i));
    if (!moves.holds(StagingNames.made(i))) {
      var found = moves.directoryToSlot(path, StagingNames.made(i));
      if (found == Obstacle.DIRECTORY) {
        notes.add("the directory \"" + path + "\" was left: somebody else has put something in it");
      }
    }
  }

  private String directory(String path) {
    doing = "moving the directory \"" + path + "\"";
    return path;
  }

  /// Syncs all directories with renames. Renames must be durable before the slots are cleared.
  private void sync() throws IOException {
    var touched = new LinkedHashSet<List<String>>();
    journal.edits().forEach(edit -> touched.add(FilePath.of(edit.path()).directories()));
    journal.made().forEach(path -> touched.add(FilePath.of(path).directories()));
    journal.emptied().forEach(path -> touched.add(FilePath.of(path).directories()));
    for (var directories : touched) {
      doing = "syncing the directory \"" + String.join("/", directories) + "\"";
      sync(directories);
    }
    moves.staging().sync();
  }

  private void sync(List<String> directories) throws IOException {
    try {
      moves
          .tree()
          .in(
              directories,
              directory -> {
                directory.sync();
                return true;
              });
    } catch (BlockedException gone) {
      // The parent's sync makes the removal durable.
    }
  }
}
