package dev.handoff.plan.apply;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A directory that is made for what is to be written to it. It gets its name when there is a
/// staging directory in it that says so, and loses it before that is cleared away: so that it is
/// never taken for one that somebody else made.
///
/// @param path its real name
record NewRoot(Disk disk, Path path, Names names) {

  private static final byte[] NOTHING = {};

  private String name() {
    return path.getFileName().toString();
  }

  private Path above() {
    return path.getParent();
  }

  /// Makes it beside its place.
  void claim() throws IOException {
    disk.makeDirectory(above().resolve(names.root()), false);
  }

  /// Gives it its name.
  Tree open() throws IOException {
    try (var parent = disk.open(above())) {
      var root = parent.open(names.root());
      try {
        fill(parent, root);
        if (parent.look(name()) != null) {
          throw new IOException("\"" + path + "\" was made by somebody else meanwhile");
        }
        parent.move(names.root(), parent, name());
        parent.sync();
        return new Tree(root);
      } catch (IOException failed) {
        root.close();
        throw failed;
      }
    }
  }

  private void fill(Disk.Dir parent, Disk.Dir root) throws IOException {
    disk.makeDirectory(above().resolve(names.spare()), true);
    parent.move(names.spare(), root, names.staging());
    try (var staging = root.open(names.staging())) {
      staging.write(Names.NEW_ROOT, NOTHING, null);
      staging.sync();
    }
    root.sync();
  }

  /// Whether there is something of it beside its place.
  boolean isHidden() throws IOException {
    try (var parent = disk.open(above())) {
      return parent.look(names.root()) != null || parent.look(names.spare()) != null;
    }
  }

  /// Takes its name away, if there is nothing but the staging directory in it.
  boolean hide(Disk.Dir root) throws IOException {
    if (!root.hasOnly(Set.of(names.staging(), names.done()))) {
      return false;
    }
    try (var parent = disk.open(above())) {
      parent.move(name(), parent, names.root());
      parent.sync();
      return true;
    }
  }

  /// Clears away what is beside its place.
  List<String> clear() throws IOException {
    var notes = new ArrayList<String>();
    try (var parent = disk.open(above())) {
      new Clearing(parent, names).spare();
      if (parent.look(names.root()) != null) {
        try (var root = parent.open(names.root())) {
          for (var staging : List.of(names.staging(), names.done())) {
            if (root.look(staging) != null) {
              notes.addAll(new Clearing(root, names).undone(staging));
            }
          }
        }
        parent.deleteDirectory(names.root());
      }
      parent.sync();
    }
    return notes;
  }
}
