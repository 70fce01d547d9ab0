package dev.handoff.plan.apply;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.cancel.CancelledException;
import dev.handoff.plan.apply.Recovered.Ending;
import dev.handoff.plan.change.Contents;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;

/// A directory that edits are written to: all of them or none. Blocks: not for an actor's thread.
/// One apply at a time for each name; applies of different names notice each other as they notice
/// anybody else who changes files.
///
/// Permissions of a modified file are kept, and its owner as far as this user may; a new file gets
/// those of any new file, so that none is executable. Other names of a file (hard links) keep what
/// it held before.
public final class Directory {

  private final Path root;
  private final Disk disk;

  private Directory(Path root, Disk disk) {
    this.root = root;
    this.disk = disk;
  }

  /// @param root may be a link to a directory, or not be there yet; nothing below it is followed
  public static Directory at(Path root) {
    return at(root, SecureDisk.INSTANCE);
  }

  static Directory at(Path root, Disk disk) {
    return new Directory(root, disk);
  }

  /// Compares edits with what is there. Writes nothing.
  ///
  /// @throws CancelledException if it is to stop
  public Checked check(List<FileEdit> list, CancellationToken stop) {
    var edits = new Edits(list);
    var problem = edits.problem();
    if (problem.isPresent()) {
      return new Checked.Refused(problem.get());
    }
    try {
      var place = Place.of(root);
      if (!place.isThere()) {
        return Examination.ofNothing(edits).verdict(edits);
      }
      try (var tree = new Tree(disk.open(place.path()))) {
        return Examination.of(tree, edits, stop).verdict(edits);
      }
    } catch (Place.UnusableException | IOException unusable) {
      return new Checked.Refused(refusal(unusable));
    }
  }

  private String refusal(Exception unusable) {
    return unusable instanceof Place.UnusableException || unusable instanceof NoHandlesException
        ? String.valueOf(unusable.getMessage())
        : "\"" + root + "\" cannot be used: " + Reasons.of(unusable);
  }

  /// Writes edits. The directory is made if it is not there; the one above it must be.
  ///
  /// @param name of this apply, by which it is recovered; letters, digits, `.`, `_` and `-`
  /// @param stop looked at until it is certain that all is written
  public Outcome write(
      String name, List<FileEdit> list, Contents contents, CancellationToken stop) {
    var edits = new Edits(list);
    var problem = Edits.problem(name).or(edits::problem);
    if (problem.isPresent()) {
      return new Outcome.Refused(problem.get());
    }
    try {
      var writing = new Writing(disk, Place.of(root), new Names(name), edits, contents, stop);
      return writing.run();
    } catch (CancelledException cancelled) {
      return new Outcome.Undone(Reasons.of(cancelled), List.of());
    } catch (Place.UnusableException
        | NoHandlesException
        | AccessDeniedException
        | FileAlreadyExistsException unusable) {
      return new Outcome.Refused(refusal(unusable));
    } catch (IOException failure) {
      return new Outcome.Undone(refusal(failure), List.of());
    }
  }

  /// The applies that were interrupted here and not recovered since, because the directory was not
  /// there when that was tried. Nothing where it cannot be looked at.
  ///
  /// @param prefix that their names begin with
  public List<String> interrupted(String prefix) {
    try {
      var place = Place.of(root);
      if (!place.isThere()) {
        return List.of();
      }
      try (var tree = new Tree(disk.open(place.path()))) {
        return Names.left(tree.root().names()).filter(name -> name.startsWith(prefix)).toList();
      }
    } catch (Place.UnusableException | IOException unusable) {
      return List.of();
    }
  }

  /// Ends an apply that was interrupted, by a crash or by a failure that could not be undone. It
  /// can be called at any time but while that apply is running, and any number of times.
  public Recovered recover(String name) {
    var problem = Edits.problem(name);
    if (problem.isPresent()) {
      return new Recovered(Ending.NOTHING, List.of(problem.get()));
    }
    return Recovery.of(disk, root, new Names(name), Recovery.Way.EITHER);
  }

  /// The same for one of which somebody was told that it is undone: never forward, unless all of it
  /// had been written.
  Recovered undo(String name) {
    return Recovery.of(disk, root, new Names(name), Recovery.Way.BACK);
  }
}
