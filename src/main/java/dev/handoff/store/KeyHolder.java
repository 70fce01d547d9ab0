package dev.handoff.store;

import org.jspecify.annotations.Nullable;

/// The ended job that has a key, without its state: so that many of them can be asked for at once,
/// however large their results are.
///
/// @param id of the job
/// @param fingerprint of what the job was asked to do; null in rows of a store that was made before
///   there were fingerprints
/// @param kept whether history has a row of the job; without one there is only the key
public record KeyHolder(String id, String key, @Nullable String fingerprint, boolean kept) {

  static KeyHolder of(KeptKey key) {
    return new KeyHolder(key.id(), key.key(), key.fingerprint(), false);
  }
}
