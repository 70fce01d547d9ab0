package dev.handoff.plan.apply;

import dev.handoff.plan.apply.Recovered.Ending;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Ends an apply that was interrupted: forward if it was certain and may go there, else back.
///
/// @param place where it was under way
record Recovery(Disk disk, Place place, Names names, Way way) {

  /// Where it may go.
  enum Way {
    EITHER,
    BACK
  }

  /// Whatever comes.
  ///
  /// @param root may have gone meanwhile
  static Recovered of(Disk disk, Path root, Names names, Way way) {
    boolean interrupted = Thread.interrupted();
    try {
      return new Recovery(disk, Place.of(root), names, way).run();
    } catch (Place.UnusableException gone) {
      return new Recovered(Ending.NOTHING, List.of(String.valueOf(gone.getMessage())));
    } catch (IOException | RuntimeException failure) {
      return new Recovered(Ending.UNFINISHED, List.of(Reasons.of(failure)));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Recovered run() throws IOException {
    var notes = new ArrayList<String>();
    var made = new NewRoot(disk, place.path(), names);
    boolean wasHidden = isHidden(made);
    if (wasHidden) {
      notes.addAll(made.clear());
    }
    if (!place.isThere() && Files.exists(place.path(), LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("\"" + place.path() + "\" was made in the very moment");
    }
    var rest = place.isThere() ? inside() : new Recovered(Ending.NOTHING, List.of());
    notes.addAll(rest.notes());
    boolean nothing = rest.ending() == Ending.NOTHING && wasHidden;
    return new Recovered(nothing ? Ending.UNDONE : rest.ending(), notes);
  }

  private boolean isHidden(NewRoot made) throws IOException {
    try {
      return place.path().getParent() != null && made.isHidden();
    } catch (AccessDeniedException | NoHandlesException notForUs) {
      if (place.isThere()) {
        return false;
      }
      throw notForUs;
    }
  }

  private Recovered inside() throws IOException {
    try (var tree = new Tree(disk.open(place.path()))) {
      var root = tree.root();
      for (var name : names.phases()) {
        if (root.look(name) != null) {
          return rest(tree, name);
        }
      }
      new Clearing(root, names).spare();
      return new Recovered(Ending.NOTHING, List.of());
    }
  }

  /// @param name of what there is of it
  private Recovered rest(Tree tree, String name) throws IOException {
    var clearing = new Clearing(tree.root(), names);
    if (clearing.removedEmpty(name)) {
      return new Recovered(name.equals(names.done()) ? Ending.FINISHED : Ending.UNDONE, List.of());
    }
    try (var begun = Begun.in(tree, name)) {
      clearing.spare();
      if (name.equals(names.undone())) {
        return new Recovered(Ending.UNDONE, clearing.undone(name));
      }
      var places = begun.places(new Making(disk, place.path(), names));
      return name.equals(names.done()) && !places.holds(Names.UNDO)
          ? new Recovered(Ending.FINISHED, clearing.done(name))
          : interrupted(places);
    }
  }

  private Recovered interrupted(Places places) throws IOException {
    if (places.holds(Names.UNDO)) {
      return back(places, journal(places, Names.UNDO), List.of());
    }
    if (places.holds(Names.COMMIT)) {
      var journal = journal(places, Names.COMMIT);
      return way == Way.BACK ? back(places, journal, List.of()) : forward(places, journal);
    }
    var nothing = new Journal(1, names.apply(), List.of(), List.of(), List.of());
    return new Recovered(Ending.UNDONE, applying(places, nothing).retire());
  }

  private Journal journal(Places places, String file) throws IOException {
    try {
      return Journal.read(places.staging(), file);
    } catch (IOException damaged) {
      throw new IOException(
          "\"%s/%s\" cannot be used: %s; all is left as it is: see to the files in there by hand"
              .formatted(names.staging(), file, Reasons.of(damaged)),
          damaged);
    }
  }

  private Applying applying(Places places, Journal journal) {
    return new Applying(disk, place.path(), places, names, journal);
  }

  private Recovered forward(Places places, Journal journal) throws IOException {
    try {
      new Steps(places, journal, names).finish();
    } catch (ConflictException conflict) {
      return back(
          places,
          journal,
          List.of("it could not be finished, so it was undone: " + conflict.getMessage()));
    }
    var root = places.tree().root();
    root.move(names.staging(), root, names.done());
    root.sync();
    return new Recovered(Ending.FINISHED, new Clearing(root, names).done(names.done()));
  }

  private Recovered back(Places places, Journal journal, List<String> why) throws IOException {
    var steps = new Steps(places, journal, names);
    var applying = applying(places, journal);
    applying.undo(steps);
    var notes = new ArrayList<>(why);
    notes.addAll(steps.notes());
    notes.addAll(applying.retire());
    return new Recovered(Ending.UNDONE, notes);
  }
}
