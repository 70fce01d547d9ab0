package dev.handoff.plan;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Two changes of one file that cannot be merged automatically, with the file's content on each
/// side. Where one side made a directory and the other a file, the directory appears as a list of
/// its entries; a content chosen as resolution becomes the content of the file.
///
/// @param entry file, changes on both sides, and reason
/// @param contents contents by SHA-256
public record PlanConflict(Conflict entry, Map<String, byte[]> contents) {

  public PlanConflict {
    contents = Map.copyOf(contents);
  }

  public String path() {
    return entry.path();
  }

  /// Content that the later change started from; empty if the file did not exist.
  public Optional<byte[]> ancestor() {
    return content(entry.ancestor());
  }

  /// Content after the earlier changes; empty if they deleted the file.
  public Optional<byte[]> ours() {
    return content(entry.ours());
  }

  /// Content after the later change; empty if it deleted the file.
  public Optional<byte[]> theirs() {
    return content(entry.theirs());
  }

  private Optional<byte[]> content(@Nullable ContentRef ref) {
    return Optional.ofNullable(ref == null ? null : contents.get(ref.sha256()));
  }
}
