package dev.handoff.plan.change;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One change as a ledger keeps it: what happened to which file, with its contents by hash. At
/// least one of the two contents is there, and they differ.
///
/// @param path relative to the root, with `/` between its parts
/// @param before what the file held; null = there was none
/// @param after what it holds since; null = it is gone
/// @param seal the running hash of its changeset up to and including this entry
public record Entry(
    String path, @Nullable ContentRef before, @Nullable ContentRef after, Instant at, String seal) {

  public Entry {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(seal, "seal");
  }

  /// An entry that follows the one with the given seal.
  ///
  /// @param previous the seal of the entry before it; for the first one [Seal#first]
  public static Entry after(
      String previous,
      String path,
      @Nullable ContentRef before,
      @Nullable ContentRef after,
      Instant at) {
    return new Entry(path, before, after, at, Seal.next(previous, path, before, after, at));
  }

  /// Whether the seal fits what it seals.
  public boolean follows(String previous) {
    return seal.equals(Seal.next(previous, path, before, after, at));
  }
}
