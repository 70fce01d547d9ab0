package dev.handoff.internal.plan.change;

import dev.handoff.plan.ContentRef;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One recorded change of a file, with contents by hash. At least one content is present, and both
/// differ.
///
/// @param path path relative to the root, separated by `/`
/// @param before content before; null = no file
/// @param after content after; null = deleted
/// @param seal running hash of the changeset up to and including this entry
public record ChangeEntry(
    String path, @Nullable ContentRef before, @Nullable ContentRef after, Instant at, String seal) {

  public ChangeEntry {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(seal, "seal");
  }

  /// Entry that follows the entry with the given seal.
  ///
  /// @param previous seal of the preceding entry; [ChainHash#first] for the first one
  public static ChangeEntry after(
      String previous,
      String path,
      @Nullable ContentRef before,
      @Nullable ContentRef after,
      Instant at) {
    return new ChangeEntry(
        path, before, after, at, ChainHash.next(previous, path, before, after, at));
  }

  /// Returns whether the seal matches this entry and the preceding seal.
  public boolean follows(String previous) {
    return seal.equals(ChainHash.next(previous, path, before, after, at));
  }
}
