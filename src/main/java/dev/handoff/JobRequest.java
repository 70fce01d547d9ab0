package dev.handoff;

import dev.handoff.job.Backoff;
import dev.handoff.job.JobOptions;
import dev.handoff.job.JobSpec;
import dev.handoff.job.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What is asked of Handoff: one job. Immutable; each method gives a new request.
///
/// Left alone, a job goes to queue `default` with priority 0, runs as soon as possible, has three
/// attempts with a growing delay between them, and no time limit.
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

  /// A job of a type, with anything that Jackson can write (or a [dev.handoff.job.Json] as it is)
  /// as its payload.
  public static JobRequest of(String type, @Nullable Object payload) {
    Objects.requireNonNull(type, "type");
    return new JobRequest(
        type, payload, JobSpec.DEFAULT_QUEUE, 0, null, null, null, JobOptions.DEFAULT);
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

  /// How long an attempt may run, from the start of its handler. An attempt that runs longer is
  /// stopped and has failed.
  public JobRequest timeout(Duration time) {
    return with(
        new JobOptions(
            whole(time),
            options.heartbeatTimeout(),
            options.maxAttempts(),
            options.backoff(),
            options.labels()));
  }

  /// How long an attempt may go without progress, heartbeat, checkpoint or log line. Then it is
  /// stopped and has failed.
  public JobRequest heartbeatTimeout(Duration time) {
    return with(
        new JobOptions(
            options.timeout(),
            whole(time),
            options.maxAttempts(),
            options.backoff(),
            options.labels()));
  }

  /// How often the job may be started. With 1, its handler starts at most once, whatever happens.
  public JobRequest maxAttempts(int starts) {
    return with(
        new JobOptions(
            options.timeout(),
            options.heartbeatTimeout(),
            starts,
            options.backoff(),
            options.labels()));
  }

  /// How long to wait before the next attempt.
  public JobRequest backoff(Backoff backoff) {
    return with(
        new JobOptions(
            options.timeout(),
            options.heartbeatTimeout(),
            options.maxAttempts(),
            Objects.requireNonNull(backoff, "backoff"),
            options.labels()));
  }

  /// Adds a label, to find the job by.
  public JobRequest label(String name, String value) {
    var labels = new TreeMap<>(options.labels());
    labels.put(name, value);
    return labels(labels);
  }

  /// With these labels and no others.
  JobRequest labels(Map<String, String> labels) {
    return with(
        new JobOptions(
            options.timeout(),
            options.heartbeatTimeout(),
            options.maxAttempts(),
            options.backoff(),
            Map.copyOf(labels)));
  }

  public String type() {
    return type;
  }

  /// @throws InvalidRequestException if it cannot be written
  Json payload(JsonFormat json) {
    return payload instanceof Json written ? written : json.write("payload", payload);
  }

  @Nullable String key() {
    return key;
  }

  private static Duration whole(Duration time) {
    return time.truncatedTo(ChronoUnit.MILLIS);
  }

  private JobRequest with(JobOptions next) {
    return new JobRequest(type, payload, queue, priority, key, runAt, delay, next);
  }

  /// The specification of this request. Its times are whole milliseconds, as they are stored: the
  /// same request is the same job before and after a restart.
  ///
  /// @throws InvalidRequestException naming everything that breaks a rule
  JobSpec toSpec(Instant now, JsonFormat json) {
    var problems = new ArrayList<String>();
    var due = due(now, problems);
    var written = written(json, problems);
    var spec = new JobSpec(type, written, queue, priority, key, due, options, null);
    Rules.check(spec, problems);
    if (!problems.isEmpty()) {
      throw new InvalidRequestException(problems);
    }
    return spec;
  }

  private @Nullable Instant due(Instant now, List<String> problems) {
    if (delay == null) {
      return runAt == null ? null : Rules.time("runAt", runAt, problems);
    }
    if (delay.isNegative() || delay.compareTo(Rules.LONGEST_DELAY) > 0) {
      problems.add(
          "delay must be 0 to %d days, was %s".formatted(Rules.LONGEST_DELAY.toDays(), delay));
      return null;
    }
    return now.plus(delay).truncatedTo(ChronoUnit.MILLIS);
  }

  private Json written(JsonFormat json, List<String> problems) {
    try {
      return json.write("payload", payload);
    } catch (InvalidRequestException e) {
      problems.addAll(e.problems());
      return Json.NULL;
    }
  }
}
