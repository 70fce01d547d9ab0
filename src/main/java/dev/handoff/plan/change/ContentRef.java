package dev.handoff.plan.change;

import java.util.Objects;

/// A content by its hash, which is also its name in the store.
///
/// @param sha256 lower-case hex
/// @param bytes how long it is
public record ContentRef(String sha256, long bytes) {
  public ContentRef {
    Objects.requireNonNull(sha256, "sha256");
  }
}
