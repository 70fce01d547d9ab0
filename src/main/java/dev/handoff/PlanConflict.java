package dev.handoff;

import dev.handoff.plan.change.Conflict;
import dev.handoff.plan.change.ContentRef;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Two changes to one file that nobody but its owner can put together, with what the file holds on
/// each side. A directory that one has made where the other has made a file is shown as a list of
/// what is in it; a content that decides such a conflict is that of the file.
///
/// @param entry which file, whose changes, and why
/// @param contents by SHA-256
public record PlanConflict(Conflict entry, Map<String, byte[]> contents) {

  public PlanConflict {
    contents = Map.copyOf(contents);
  }

  public String path() {
    return entry.path();
  }

  /// What the later change found; empty if there was no file.
  public Optional<byte[]> ancestor() {
    return content(entry.ancestor());
  }

  /// What the changes before it had made of the file; empty if they had deleted it.
  public Optional<byte[]> ours() {
    return content(entry.ours());
  }

  /// What the later change made of it; empty if it deleted it.
  public Optional<byte[]> theirs() {
    return content(entry.theirs());
  }

  private Optional<byte[]> content(@Nullable ContentRef ref) {
    return Optional.ofNullable(ref == null ? null : contents.get(ref.sha256()));
  }
}
