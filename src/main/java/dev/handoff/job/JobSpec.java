package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// What was asked for: everything about a job that never changes after its submission.
///
/// @param priority higher goes first within a queue
/// @param key at most one job has it; null = none
/// @param runAt not before this time; null = as soon as possible
/// @param origin null for a job of its own
public record JobSpec(
    String type,
    Json payload,
    String queue,
    int priority,
    @Nullable String key,
    @Nullable Instant runAt,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = JobOptions.Usual.class) JobOptions options,
    @Nullable Origin origin) {

  public static final String DEFAULT_QUEUE = "default";

  public JobSpec {
    type = type.intern();
    queue = queue.intern();
    options = options == null ? JobOptions.DEFAULT : options.shared();
  }

  public static JobSpec of(String type, Json payload) {
    return new JobSpec(type, payload, DEFAULT_QUEUE, 0, null, null, JobOptions.DEFAULT, null);
  }

  JobSpec childOf(JobId parent) {
    return new JobSpec(type, payload, queue, priority, key, runAt, options, Origin.child(parent));
  }

  /// The key under which the job is unique in its partition; null for a job without a key, and for a child, whose key
  /// counts within its parent only.
  public @Nullable String uniqueKey() {
    return origin == null ? key : null;
  }

  /// A short fingerprint of the content: equal specs have equal ones.
  String fingerprint() {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      sha.update(
          String.join("\n", type, queue, "" + priority, "" + key, "" + runAt, "" + options.timeout())
              .getBytes(StandardCharsets.UTF_8));
      sha.update(payload.utf8());
      return HexFormat.of().formatHex(sha.digest(), 0, 12);
    } catch (NoSuchAlgorithmException everyJvmHasIt) {
      throw new IllegalStateException(everyJvmHasIt);
    }
  }
}
