package dev.handoff.plan.change;

import dev.handoff.job.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Reads what changesets hold.
public final class Parts {

  /// About what an entry takes in a body.
  private static final long ENTRY_BYTES = 320;

  private Parts() {}

  /// The changesets with their entries, in the same order. Blocks.
  ///
  /// @throws UnreadableChanges if a body is missing or damaged; names the changeset
  public static List<Part> load(List<Changeset> sets, Contents contents) {
    var parts = new ArrayList<Part>(sets.size());
    for (var slice : Slices.of(sets, Parts::bytes)) {
      var wanted = new Wanted();
      slice.forEach(set -> wanted.add(set.body(), "The body of " + shown(set)));
      var bodies = wanted.read(contents);
      slice.forEach(set -> parts.add(part(set, bodies.get(set.body()))));
    }
    return List.copyOf(parts);
  }

  /// About how long the body of a changeset is.
  static long bytes(Changeset set) {
    return ENTRY_BYTES * (1L + set.changes() + set.decisions());
  }

  /// How a changeset is called in messages.
  static String shown(Changeset set) {
    return shown(set.id(), set.label());
  }

  static String shown(String id, String label) {
    return "changeset " + Text.shown(id) + " (" + Text.shown(label) + ")";
  }

  private static Part part(Changeset set, byte[] body) {
    if (!Seal.of(body).equals(set.body())) {
      throw new UnreadableChanges(
          "The body of " + shown(set) + " is another one than was stored (" + set.body() + ")");
    }
    try {
      return new Part(set.id(), set.label(), set.by(), BodyCodec.decode(body).entries());
    } catch (IOException unreadable) {
      throw new UnreadableChanges(
          "The body of " + shown(set) + " cannot be read: " + unreadable.getMessage(), unreadable);
    }
  }
}
