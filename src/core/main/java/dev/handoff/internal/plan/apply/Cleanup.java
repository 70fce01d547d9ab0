package dev.handoff.internal.plan.apply;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Removal of an apply's staging files. Unknown files are kept under a permanent name.
record Cleanup(FileOperations.Dir parent, StagingNames names) {

  private static final Pattern DIRECTORY = Pattern.compile("[de][0-9]+");
  private static final Pattern AFTER_DONE = Pattern.compile("[no][0-9]+|journal|commit|undo|root");

  /// Files to delete after an undo. Originals in their slots stay: they have no other place.
  private static final Pattern AFTER_UNDONE = Pattern.compile("n[0-9]+|journal|commit|undo|root");

  /// @return notes for the user
  List<String> done(String staging) throws IOException {
    return clear(staging, AFTER_DONE);
  }

  /// @return notes for the user
  List<String> undone(String staging) throws IOException {
    return clear(staging, AFTER_UNDONE);
  }

  private List<String> clear(String name, Pattern files) throws IOException {
    var left = new ArrayList<String>();
    try (var staging = parent.open(name)) {
      for (var entry : staging.names()) {
        if (files.matcher(entry).matches()) {
          staging.deleteFile(entry);
        } else if (!entry.equals(StagingNames.LOCK) && !isDeletedDirectory(staging, entry)) {
          left.add(entry);
        }
      }
      // Lock deleted last: until then no other process may work here.
      if (staging.look(StagingNames.LOCK) != null) {
        staging.deleteFile(StagingNames.LOCK);
      }
    }
    if (left.isEmpty()) {
      parent.deleteDirectory(name);
    } else {
      parent.move(name, parent, names.kept());
    }
    parent.sync();
    return left.isEmpty()
        ? List.of()
        : List.of("\"" + names.kept() + "\" has what could be put nowhere else: " + left);
  }

  private static boolean isDeletedDirectory(FileOperations.Dir staging, String entry)
      throws IOException {
    if (!DIRECTORY.matcher(entry).matches()) {
      return false;
    }
    try {
      staging.deleteDirectory(entry);
      return true;
    } catch (DirectoryNotEmptyException somebodyElse) {
      return false;
    }
  }

  /// Removes an empty staging directory, and returns whether it was empty. No lock file is needed:
  /// a full disk may have no room for one.
  boolean removedEmpty(String name) throws IOException {
    try {
      parent.deleteDirectory(name);
      parent.sync();
      return true;
    } catch (DirectoryNotEmptyException used) {
      return false;
    }
  }

  /// Deletes a spare directory that was never moved.
  void spare() throws IOException {
    if (parent.look(names.spare()) != null) {
      parent.deleteDirectory(names.spare());
    }
  }
}
