package dev.handoff.plan.apply;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.plan.apply.Examination.Examined;
import dev.handoff.plan.apply.Recovered.Ending;
import dev.handoff.plan.change.Contents;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;

/// What comes before an apply can begin: to see that it may, and to make its staging directory.
record Writing(
    Disk disk, Place place, Names names, Edits edits, Contents contents, CancellationToken stop) {

  private static final String INTERRUPTED =
      " is there: an apply of that name was interrupted, and is to be recovered first";

  /// @throws IOException if nothing was begun
  Outcome run() throws IOException {
    if (!place.isThere()) {
      var made = new NewRoot(disk, place.path(), names);
      if (made.isHidden()) {
        return new Outcome.Refused("\"" + names.root() + "\"" + INTERRUPTED);
      }
      return begin(Examination.ofNothing(edits), made::claim, made::open);
    }
    try (var tree = open()) {
      for (var name : names.inside()) {
        if (tree.root().look(name) != null) {
          return new Outcome.Refused("\"" + name + "\"" + INTERRUPTED);
        }
      }
      if (tree.root().look(names.kept()) != null) {
        return new Outcome.Refused(
            "\"%s\" is there, with originals of an earlier apply: look at them, and move them away"
                .formatted(names.kept()));
      }
      var staging = place.path().resolve(names.staging());
      return begin(
          Examination.of(tree, edits, stop),
          () -> disk.makeDirectory(staging, true),
          () -> Begun.in(open(), names.staging()));
    }
  }

  private Tree open() throws IOException {
    return new Tree(disk.open(place.path()));
  }

  /// Makes the first directory: from there on there is something to clear away.
  @FunctionalInterface
  private interface Claim {
    void make() throws IOException;
  }

  @FunctionalInterface
  private interface Opening {
    Begun open() throws IOException;
  }

  private Outcome begin(Examined examined, Claim claim, Opening opening) throws IOException {
    return switch (examined.verdict(edits)) {
      case Checked.Fits fits -> write(examined, claim, opening);
      case Checked.Already already -> new Outcome.Already();
      case Checked.Conflicted(var conflicts) -> new Outcome.Conflicted(conflicts, List.of());
      case Checked.Refused(var reason) -> new Outcome.Refused(reason);
    };
  }

  private Outcome write(Examined examined, Claim claim, Opening opening) throws IOException {
    stop.throwIfCancelled();
    try {
      claim.make();
    } catch (AccessDeniedException | FileAlreadyExistsException notForUs) {
      throw notForUs;
    } catch (IOException failure) {
      return cleared(failure);
    }
    try (var begun = opening.open()) {
      var places = begun.places(new Making(disk, place.path(), names));
      var journal = Journal.of(names.apply(), edits, examined);
      return new Applying(disk, place.path(), places, names, journal)
          .run(new Preparing(places, contents, stop));
    } catch (IOException failure) {
      return cleared(failure);
    }
  }

  private Outcome cleared(IOException failure) {
    var recovered = Recovery.of(disk, place.path(), names, Recovery.Way.EITHER);
    return recovered.ending() == Ending.UNFINISHED
        ? new Outcome.Unfinished(Reasons.of(failure) + "; " + recovered.notes())
        : new Outcome.Undone(Reasons.of(failure), recovered.notes());
  }
}
