package dev.handoff.plan;

import java.util.Objects;

/// Reference to a content by its hash, which is also its key in the store.
///
/// @param sha256 lower-case hex
/// @param bytes length of the content
public record ContentRef(String sha256, long bytes) {
  public ContentRef {
    Objects.requireNonNull(sha256, "sha256");
  }
}
