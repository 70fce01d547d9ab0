package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Objects;
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
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = UsualQueue.class) String queue,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int priority,
    @Nullable String key,
    @Nullable Instant runAt,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = JobOptions.Usual.class)
        JobOptions options,
    @Nullable Origin origin) {

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
    return new JobSpec(type, payload, queue, priority, key, runAt, options, Origin.child(parent));
  }

  /// The same job as a step of a plan.
  public JobSpec stepOf(String plan, String step) {
    var origin = Origin.step(plan, step);
    return new JobSpec(type, payload, queue, priority, key, runAt, options, origin);
  }

  /// The id of the plan that it is a step of; null if it is none.
  public @Nullable String plan() {
    return origin == null ? null : origin.plan();
  }

  /// Whether it is a step of a plan.
  @JsonIgnore
  public boolean isStep() {
    return origin != null && origin.plan() != null;
  }

  /// The key under which the job is unique in its partition; null for a job without a key, and for
  /// a child, whose key counts within its parent only.
  public @Nullable String uniqueKey() {
    return origin == null ? key : null;
  }

  /// Whether both ask for the same. When the job may run does not count: a delay gives another time
  /// with each submission.
  public boolean hasSameContent(JobSpec other) {
    return type.equals(other.type)
        && payload.equals(other.payload)
        && queue.equals(other.queue)
        && priority == other.priority
        && Objects.equals(key, other.key)
        && options.equals(other.options)
        && Objects.equals(origin, other.origin);
  }

  /// A short fingerprint of the content: specs with the same content have equal ones.
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

  /// Leaves the default queue out of what is stored and sent.
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
