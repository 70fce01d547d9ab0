package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.JobId;
import dev.handoff.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Specification of a job, immutable after the submission.
///
/// @param priority within the queue; higher goes first
/// @param key unique key; null = none
/// @param runAt earliest start; null = as soon as possible
/// @param origin null for a job of its own
public record JobSpec(
    String type,
    Json payload,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = UsualQueue.class) String queue,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int priority,
    @Nullable String key,
    @Nullable Instant runAt,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = JobOptions.Usual.class)
        JobOptions options,
    @Nullable JobOrigin origin) {

  public static final String DEFAULT_QUEUE = "default";

  public JobSpec {
    type = type.intern();
    queue = queue == null ? DEFAULT_QUEUE : queue.intern();
    options = options == null ? JobOptions.DEFAULT : options.shared();
  }

  public static JobSpec of(String type, Json payload) {
    return new JobSpec(type, payload, DEFAULT_QUEUE, 0, null, null, JobOptions.DEFAULT, null);
  }

  JobSpec childOf(JobId parent) {
    return new JobSpec(
        type, payload, queue, priority, key, runAt, options, JobOrigin.child(parent));
  }

  /// Returns a copy that is a plan's step.
  public JobSpec stepOf(String plan, String step) {
    var origin = JobOrigin.step(plan, step);
    return new JobSpec(type, payload, queue, priority, key, runAt, options, origin);
  }

  /// Id of the step's plan; null for other jobs.
  public @Nullable String plan() {
    return origin == null ? null : origin.plan();
  }

  /// Whether the job is a plan's step.
  @JsonIgnore
  public boolean isStep() {
    return origin != null && origin.plan() != null;
  }

  /// Unique key of the job within its partition. Null for a job without key and for a child, whose
  /// key counts only within its parent.
  public @Nullable String uniqueKey() {
    return origin == null ? key : null;
  }

  /// Whether both specs request the same work. The start time does not count: a delay yields a
  /// different time for each submission.
  public boolean hasSameContent(JobSpec other) {
    return type.equals(other.type)
        && payload.equals(other.payload)
        && queue.equals(other.queue)
        && priority == other.priority
        && Objects.equals(key, other.key)
        && options.equals(other.options)
        && Objects.equals(origin, other.origin);
  }

  /// Short fingerprint of the content; equal for specs with equal content.
  String fingerprint() {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      sha.update(
          String.join("\0", type, queue, "" + priority, "" + key, options.fingerprint())
              .getBytes(StandardCharsets.UTF_8));
      sha.update(payload.utf8());
      return HexFormat.of().formatHex(sha.digest(), 0, 12);
    } catch (NoSuchAlgorithmException everyJvmHasIt) {
      throw new IllegalStateException(everyJvmHasIt);
    }
  }

  /// Filter that omits the default queue from stored and sent specs.
  static final class UsualQueue {
    @Override
    public boolean equals(Object other) {
      return DEFAULT_QUEUE.equals(other);
    }

    @Override
    public int hashCode() {
      return DEFAULT_QUEUE.hashCode();
    }
  }
}
