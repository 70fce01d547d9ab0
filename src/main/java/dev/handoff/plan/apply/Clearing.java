package dev.handoff.plan.apply;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Clears away what an apply needed. What it does not know stays, under a name that lasts.
record Clearing(Disk.Dir parent, Names names) {

  private static final Pattern DIRECTORY = Pattern.compile("[de][0-9]+");
  private static final Pattern AFTER_DONE = Pattern.compile("[no][0-9]+|journal|commit|undo|root");

  /// Originals that are still there have no other place.
  private static final Pattern AFTER_UNDONE = Pattern.compile("n[0-9]+|journal|commit|undo|root");

  /// @return what is to be said about it
  List<String> done(String staging) throws IOException {
    return clear(staging, AFTER_DONE);
  }

  /// @return what is to be said about it
  List<String> undone(String staging) throws IOException {
    return clear(staging, AFTER_UNDONE);
  }

  private List<String> clear(String name, Pattern files) throws IOException {
    var left = new ArrayList<String>();
    try (var staging = parent.open(name)) {
      for (var entry : staging.names()) {
        if (files.matcher(entry).matches()) {
          staging.deleteFile(entry);
        } else if (!entry.equals(Names.LOCK) && !isDeletedDirectory(staging, entry)) {
          left.add(entry);
        }
      }
      // The last: until then nobody else is to be at work here.
      if (staging.look(Names.LOCK) != null) {
        staging.deleteFile(Names.LOCK);
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

  private static boolean isDeletedDirectory(Disk.Dir staging, String entry) throws IOException {
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

  /// Whether nothing was left to be cleared away but the staging directory itself, and it is gone
  /// now. On a full disk there may be no room even for the lock.
  boolean removedEmpty(String name) throws IOException {
    try {
      parent.deleteDirectory(name);
      parent.sync();
      return true;
    } catch (DirectoryNotEmptyException used) {
      return false;
    }
  }

  /// A directory that was made and never moved.
  void spare() throws IOException {
    if (parent.look(names.spare()) != null) {
      parent.deleteDirectory(names.spare());
    }
  }
}
