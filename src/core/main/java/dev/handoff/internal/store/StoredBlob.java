package dev.handoff.internal.store;

import org.jspecify.annotations.Nullable;

/// Content as read back from the store.
///
/// @param content empty if the stored bytes cannot be unpacked
/// @param intact whether the content matches its hash
public record StoredBlob(byte[] content, boolean intact) {

  /// Result for a hash.
  ///
  /// @param packed stored bytes; null if they are lost
  public static StoredBlob of(String sha256, byte @Nullable [] packed) {
    var content = packed == null ? null : BlobPacking.unpack(packed);
    return content == null
        ? new StoredBlob(new byte[0], false)
        : new StoredBlob(content, ContentHashes.of(content).equals(sha256));
  }
}
