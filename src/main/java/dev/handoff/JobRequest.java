package dev.handoff;

import dev.handoff.job.Backoff;
import dev.handoff.job.JobOptions;
import dev.handoff.job.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What is asked of Handoff: one job. Immutable; each method gives a new request.
///
/// Left alone, a job goes to queue `default` with priority 0, runs as soon as possible, has three attempts with a
/// growing delay between them, and no time limit.
public final class JobRequest {

  private final String type;
  private final @Nullable Object payload;
  private final String queue;
  private final int priority;
  private final @Nullable String key;
  private final @Nullable Instant runAt;
  private final @Nullable Duration delay;
  private final JobOptions options;

  private JobRequest(
      String type,
      @Nullable Object payload,
      String queue,
      int priority,
      @Nullable String key,
      @Nullable Instant runAt,
      @Nullable Duration delay,
      JobOptions options) {
    this.type = type;
    this.payload = payload;
    this.queue = queue;
    this.priority = priority;
    this.key = key;
    this.runAt = runAt;
    this.delay = delay;
    this.options = options;
  }

  /// A job of a type, with anything that Jackson can write (or a [dev.handoff.job.Json] as it is) as its payload.
  public static JobRequest of(String type, @Nullable Object payload) {
    return new JobRequest(type, payload, JobSpec.DEFAULT_QUEUE, 0, null, null, null, JobOptions.DEFAULT);
  }

  /// A job without a payload.
  public static JobRequest of(String type) {
    return of(type, null);
  }

  public JobRequest queue(String name) {
    return new JobRequest(type, payload, name, priority, key, runAt, delay, options);
  }

  /// Higher goes first within the queue.
  public JobRequest priority(int value) {
    return new JobRequest(type, payload, queue, value, key, runAt, delay, options);
  }

  /// At most one job has this key: submitting it again answers the job that is there.
  public JobRequest key(String value) {
    return new JobRequest(type, payload, queue, priority, value, runAt, delay, options);
  }

  /// Not before this time.
  public JobRequest runAt(Instant time) {
    return new JobRequest(type, payload, queue, priority, key, time, null, options);
  }

  /// Not before this time has passed since the submission.
  public JobRequest delay(Duration time) {
    return new JobRequest(type, payload, queue, priority, key, null, time, options);
  }

  /// How long an attempt may run, from the start of its handler. An attempt that runs longer is stopped and has failed.
  public JobRequest timeout(Duration time) {
    return with(new JobOptions(time, options.heartbeatTimeout(), options.maxAttempts(), options.backoff(), options.labels()));
  }

  /// How long an attempt may go without progress, heartbeat, checkpoint or log line. Then it is stopped and has failed.
  public JobRequest heartbeatTimeout(Duration time) {
    return with(new JobOptions(options.timeout(), time, options.maxAttempts(), options.backoff(), options.labels()));
  }

  /// How often the job may be started. With 1, its handler starts at most once, whatever happens.
  public JobRequest maxAttempts(int starts) {
    return with(new JobOptions(options.timeout(), options.heartbeatTimeout(), starts, options.backoff(), options.labels()));
  }

  /// How long to wait before the next attempt.
  public JobRequest backoff(Backoff backoff) {
    return with(new JobOptions(options.timeout(), options.heartbeatTimeout(), options.maxAttempts(), backoff, options.labels()));
  }

  /// Adds a label, to find the job by.
  public JobRequest label(String name, String value) {
    var labels = new TreeMap<>(options.labels());
    labels.put(name, value);
    return with(
        new JobOptions(
            options.timeout(), options.heartbeatTimeout(), options.maxAttempts(), options.backoff(), Map.copyOf(labels)));
  }

  public String type() {
    return type;
  }

  @Nullable String key() {
    return key;
  }

  private JobRequest with(JobOptions next) {
    return new JobRequest(type, payload, queue, priority, key, runAt, delay, next);
  }

  /// The specification of this request.
  ///
  /// @throws InvalidRequestException if something of it breaks a rule
  JobSpec toSpec(Instant now, JsonFormat json) {
    var spec =
        new JobSpec(
            type, json.write(payload), queue, priority, key, delay == null ? runAt : now.plus(delay), options, null);
    Rules.check(spec);
    return spec;
  }
}
