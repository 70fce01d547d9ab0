package dev.handoff.internal.store;

import java.time.Instant;

/// Key of an ended job without a history row. The key outlives the job, so a repeated submission
/// does not run again.
///
/// @param id id of the job
/// @param fingerprint fingerprint of the job's request: see [KeyHolder]
/// @param endedAt end of the job, and start of the key's retention
public record KeptKey(String key, String id, String fingerprint, Instant endedAt) {}
