package dev.handoff.internal.plan.change;

import dev.handoff.internal.text.SafeText;
import dev.handoff.plan.UnreadableChanges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Loader of changeset bodies.
public final class ChangesetLoader {

  /// Approximate size of an entry in a body.
  private static final long ENTRY_BYTES = 320;

  private ChangesetLoader() {}

  /// Loads changesets with their entries, in order. Blocks.
  ///
  /// @throws UnreadableChanges with the changeset, if a body is missing or damaged
  public static List<LoadedChangeset> load(List<Changeset> sets, ContentReader contents) {
    var parts = new ArrayList<LoadedChangeset>(sets.size());
    for (var slice : MemorySlices.of(sets, ChangesetLoader::bytes)) {
      var wanted = new ContentRequest();
      slice.forEach(set -> wanted.add(set.body(), "The body of " + shown(set)));
      var bodies = wanted.read(contents);
      slice.forEach(set -> parts.add(part(set, bodies.get(set.body()))));
    }
    return List.copyOf(parts);
  }

  /// Approximate size of a changeset's body.
  static long bytes(Changeset set) {
    return ENTRY_BYTES * (1L + set.changes() + set.decisions());
  }

  /// Changeset name for messages.
  static String shown(Changeset set) {
    return shown(set.id(), set.label());
  }

  static String shown(String id, String label) {
    return "changeset " + SafeText.shown(id) + " (" + SafeText.shown(label) + ")";
  }

  private static LoadedChangeset part(Changeset set, byte[] body) {
    if (!ChainHash.of(body).equals(set.body())) {
      throw new UnreadableChanges(
          "The body of " + shown(set) + " is another one than was stored (" + set.body() + ")");
    }
    try {
      return new LoadedChangeset(set.id(), set.label(), set.by(), BodyCodec.decode(body).entries());
    } catch (IOException unreadable) {
      throw new UnreadableChanges(
          "The body of " + shown(set) + " cannot be read: " + unreadable.getMessage(), unreadable);
    }
  }
}
