package dev.handoff.store;

import java.time.Instant;

/// The key of a job that ended and has no row in history: the key outlives the job, so that a
/// submission that comes again does not run again.
///
/// @param id of the job
/// @param fingerprint of what the job was asked to do: see [KeyHolder]
/// @param endedAt when the job ended; the key is kept from then on
public record KeptKey(String key, String id, String fingerprint, Instant endedAt) {}
