package dev.handoff;

import com.fasterxml.jackson.annotation.JsonCreator;
import dev.handoff.job.Backoff;
import dev.handoff.job.JobSpec;
import dev.handoff.job.Json;
import dev.handoff.job.RetryRule;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What is asked of Handoff: one job. Immutable; each method gives a new request.
///
/// Left alone, a job has the options that the builder has for its type; and without them it goes to
/// queue `default` with priority 0, runs as soon as possible, has three attempts with a growing
/// delay between them, and no time limit.
public final class JobRequest {

  private final String type;
  private final @Nullable Object payload;
  private final @Nullable String queue;
  private final @Nullable Integer priority;
  private final @Nullable String key;
  private final @Nullable Instant runAt;
  private final @Nullable Duration delay;
  private final OptionChoices options;

  private JobRequest(
      String type,
      @Nullable Object payload,
      @Nullable String queue,
      @Nullable Integer priority,
      @Nullable String key,
      @Nullable Instant runAt,
      @Nullable Duration delay,
      OptionChoices options) {
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
    return new JobRequest(type, payload, null, null, null, null, null, OptionChoices.NONE);
  }

  /// A request as [JobRequestJson] reads it, for whatever maps JSON to objects with Jackson 2 or 3:
  /// the body of a controller, a message.
  ///
  /// @throws InvalidRequestException naming each field that is wrong
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static JobRequest ofJson(Json written) {
    return JobRequestJson.read(written.utf8());
  }

  /// A job without a payload.
  public static JobRequest of(String type) {
    return of(type, null);
  }

  public JobRequest queue(String name) {
    Objects.requireNonNull(name, "name");
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

  /// How long an attempt may run, from the first step of its handler. An attempt that runs longer
  /// is stopped and has failed.
  public JobRequest timeout(Duration time) {
    return with(options.timeout(time));
  }

  /// How long an attempt may go without progress, heartbeat, checkpoint or log line. Then it is
  /// stopped and has failed.
  public JobRequest heartbeatTimeout(Duration time) {
    return with(options.heartbeatTimeout(time));
  }

  /// How often the job may be started. With 1, its handler starts at most once, whatever happens.
  public JobRequest maxAttempts(int starts) {
    return with(options.maxAttempts(starts));
  }

  /// How long to wait before the next attempt.
  public JobRequest backoff(Backoff backoff) {
    return with(options.backoff(backoff));
  }

  /// Which failures are tried again; others end the job at once. Without a rule of the request the
  /// one of its type decides ([TypeOptions#retryIf]), and without that every failure is tried
  /// again. A [NonRetryableException] never is.
  public JobRequest retryIf(RetryRule rule) {
    return with(options.retryIf(rule));
  }

  /// Adds a label, to find the job by.
  public JobRequest label(String name, String value) {
    return with(options.label(name, value));
  }

  /// With these labels and no others.
  JobRequest labels(Map<String, String> labels) {
    return with(options.labels(labels));
  }

  public String type() {
    return type;
  }

  /// @throws InvalidRequestException if it cannot be written
  Json payload(JsonFormat json) {
    return payload instanceof Json written ? written : json.write("payload", payload);
  }

  /// The key; null if it has none.
  public @Nullable String key() {
    return key;
  }

  private JobRequest with(OptionChoices next) {
    return new JobRequest(type, payload, queue, priority, key, runAt, delay, next);
  }

  /// The specification of this request, whatever its type has by default.
  ///
  /// @throws InvalidRequestException naming everything that breaks a rule
  JobSpec toSpec(Instant now, JsonFormat json) {
    return toSpec(now, json, TypeOptions.NONE);
  }

  /// The specification of this request, with what its type has where it says nothing. Its times are
  /// whole milliseconds, as they are stored: the same request is the same job before and after a
  /// restart.
  ///
  /// @throws InvalidRequestException naming everything that breaks a rule
  JobSpec toSpec(Instant now, JsonFormat json, TypeOptions usual) {
    var problems = new ArrayList<String>();
    var due = due(now, problems);
    var written = written(json, problems);
    var spec =
        new JobSpec(
            type,
            written,
            usual.queueOr(queue),
            usual.priorityOr(priority),
            key,
            due,
            usual.optionsOr(options),
            null);
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
          "delay must be 0s to %s, was %s"
              .formatted(Durations.exact(Rules.LONGEST_DELAY), Durations.exact(delay)));
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
