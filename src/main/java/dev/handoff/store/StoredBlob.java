package dev.handoff.store;

import org.jspecify.annotations.Nullable;

/// A content as it was read back.
///
/// @param content empty if what is stored cannot even be unpacked
/// @param intact whether it is what its hash names
public record StoredBlob(byte[] content, boolean intact) {

  /// What is stored under a hash.
  ///
  /// @param packed null if it is missing where it should be
  static StoredBlob of(String sha256, byte @Nullable [] packed) {
    var content = packed == null ? null : Packing.unpack(packed);
    return content == null
        ? new StoredBlob(new byte[0], false)
        : new StoredBlob(content, Hashes.of(content).equals(sha256));
  }
}
