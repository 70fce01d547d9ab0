package dev.handoff.internal.store;

import org.jspecify.annotations.Nullable;

/// Ended job that holds a key, without its state: so many keys can be queried at once, however
/// large the results are.
///
/// @param id id of the job
/// @param fingerprint fingerprint of the job's request; null in rows older than fingerprints
/// @param kept whether the job has a history row; if not, only the key is left
public record KeyHolder(String id, String key, @Nullable String fingerprint, boolean kept) {

  public static KeyHolder of(KeptKey key) {
    return new KeyHolder(key.id(), key.key(), key.fingerprint(), false);
  }
}
