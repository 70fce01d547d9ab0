package dev.handoff.plan.change;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads what is stored under hashes. Blocks: not for an actor's thread.
public interface Contents {

  /// The contents that there are, by SHA-256; what is missing is left out.
  ///
  /// @throws dev.handoff.store.StoreException if the store is away, or one of them is damaged
  Map<String, byte[]> read(Collection<String> sha256s);

  /// What is stored under a hash, whether it fits the hash or not; null if there is nothing, or
  /// nothing that can be read. To look for what was altered.
  byte @Nullable [] asStored(String sha256);

  /// These and some more, which are at hand.
  default Contents with(Map<String, byte[]> more) {
    return more.isEmpty() ? this : new MoreContents(this, more);
  }
}
