package dev.handoff.plan.change;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What all changes to one file come to.
///
/// @param base what the first of them found; null = there was no file
/// @param now what it holds after the last of them; null = it is gone
/// @param merged whether `now` is the result of a merge, which is in no store but in [Net#merged()]
/// @param changesets the ids of those that touched it, in order
public record NetChange(
    String path,
    @Nullable ContentRef base,
    @Nullable ContentRef now,
    boolean merged,
    List<String> changesets) {

  public NetChange {
    changesets = List.copyOf(changesets);
  }

  public Difference difference() {
    return new Difference(path, base, now);
  }
}
