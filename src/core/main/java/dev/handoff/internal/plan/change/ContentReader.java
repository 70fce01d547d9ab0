package dev.handoff.internal.plan.change;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reader of stored contents by hash. Blocks: not for an actor's thread.
public interface ContentReader {

  /// Contents by SHA-256; missing ones are left out.
  ///
  /// @throws dev.handoff.StoreException if the store is unavailable, or a content is damaged
  Map<String, byte[]> read(Collection<String> sha256s);

  /// Stored bytes of a hash, even if they do not match it; null if they are missing or unreadable.
  /// For audits.
  byte @Nullable [] asStored(String sha256);

  /// Reader with additional contents in memory.
  default ContentReader with(Map<String, byte[]> more) {
    return more.isEmpty() ? this : new MoreContents(this, more);
  }
}
