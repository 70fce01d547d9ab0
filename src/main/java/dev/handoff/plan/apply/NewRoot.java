package dev.handoff.plan.apply;

import java.io.IOException;
import java.nio.file.Path;
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
  Begun open() throws IOException {
    disk.makeDirectory(above().resolve(names.spare()), true);
    try (var parent = disk.open(above())) {
      var begun = begin(parent);
      boolean done = false;
      try {
        appear(parent, begun);
        done = true;
        return begun;
      } finally {
        if (!done) {
          begun.close();
        }
      }
    }
  }

  private Begun begin(Disk.Dir parent) throws IOException {
    try (var root = parent.open(names.root())) {
      parent.move(names.spare(), root, names.staging());
    }
    return Begun.in(new Tree(parent.open(names.root())), names.staging());
  }

  private void appear(Disk.Dir parent, Begun begun) throws IOException {
    begun.staging().write(Names.NEW_ROOT, NOTHING, null);
    begun.staging().sync();
    begun.tree().root().sync();
    if (parent.look(name()) != null) {
      throw new IOException("\"" + path + "\" was made by somebody else meanwhile");
    }
    parent.move(names.root(), parent, name());
    parent.sync();
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

  /// Clears away what is beside its place, and was left there by somebody who is dead.
  ///
  /// @return what is to be said about it
  /// @throws IOException if somebody is at work on it
  List<String> clear() throws IOException {
    try (var parent = disk.open(above())) {
      var notes = parent.look(names.root()) == null ? List.<String>of() : emptied(parent);
      remove(parent);
      return notes;
    }
  }

  private List<String> emptied(Disk.Dir parent) throws IOException {
    try (var tree = new Tree(parent.open(names.root()))) {
      for (var staging : List.of(names.staging(), names.done())) {
        var clearing = new Clearing(tree.root(), names);
        if (tree.root().look(staging) != null && !clearing.removedEmpty(staging)) {
          try (var begun = Begun.in(tree, staging)) {
            return new Clearing(begun.tree().root(), names).undone(staging);
          }
        }
      }
      return List.of();
    }
  }

  /// Takes it away once it is empty.
  void remove() throws IOException {
    try (var parent = disk.open(above())) {
      remove(parent);
    }
  }

  private void remove(Disk.Dir parent) throws IOException {
    new Clearing(parent, names).spare();
    if (parent.look(names.root()) != null) {
      parent.deleteDirectory(names.root());
    }
    parent.sync();
  }
}
