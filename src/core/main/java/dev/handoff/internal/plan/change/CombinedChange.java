package dev.handoff.internal.plan.change;

import dev.handoff.plan.ContentRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Combined change of one file.
///
/// @param base content before the first change; null = no file
/// @param now content after the last change; null = deleted
/// @param merged whether `now` is a merge result, which is only in [CombinedChanges#merged()]
/// @param changesets ids of the changesets that touched the file, in order
public record CombinedChange(
    String path,
    @Nullable ContentRef base,
    @Nullable ContentRef now,
    boolean merged,
    List<String> changesets) {

  public CombinedChange {
    changesets = List.copyOf(changesets);
  }

  public FileEdit edit() {
    return new FileEdit(path, base, now);
  }
}
