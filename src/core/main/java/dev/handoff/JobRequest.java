package dev.handoff;

import com.fasterxml.jackson.annotation.JsonCreator;
import dev.handoff.json.JobRequestJson;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A request for one job. Immutable; each method returns a new request.
///
/// Options that the request leaves out come from the builder's defaults for the job type. Without
/// these, the job goes to queue `default` with priority 0, runs as soon as possible, has three
/// attempts with growing backoff, and no time limit.
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

  /// Request for a job of a type. The payload is any value that Jackson can write; a
  /// [dev.handoff.Json] is taken as it is.
  public static JobRequest of(String type, @Nullable Object payload) {
    Objects.requireNonNull(type, "type");
    return new JobRequest(type, payload, null, null, null, null, null, OptionChoices.NONE);
  }

  /// Request from JSON in the format of [JobRequestJson], for frameworks that map JSON with Jackson
  /// 2 or 3, such as the body of a controller or a message.
  ///
  /// @throws InvalidRequestException naming each wrong field
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static JobRequest ofJson(Json written) {
    return JobRequestJson.read(written.utf8());
  }

  /// Request for a job without a payload.
  public static JobRequest of(String type) {
    return of(type, null);
  }

  public JobRequest queue(String name) {
    Objects.requireNonNull(name, "name");
    return new JobRequest(type, payload, name, priority, key, runAt, delay, options);
  }

  /// Sets the priority: jobs with a higher priority run first within the queue.
  public JobRequest priority(int value) {
    return new JobRequest(type, payload, queue, value, key, runAt, delay, options);
  }

  /// Sets the unique key: submitting the same key again returns the existing job.
  public JobRequest key(String value) {
    return new JobRequest(type, payload, queue, priority, value, runAt, delay, options);
  }

  /// Sets the earliest start time.
  public JobRequest runAt(Instant time) {
    return new JobRequest(type, payload, queue, priority, key, time, null, options);
  }

  /// Sets the delay from submission to the earliest start.
  public JobRequest delay(Duration time) {
    return new JobRequest(type, payload, queue, priority, key, null, time, options);
  }

  /// Sets the time limit of an attempt, counted from the handler call. An attempt beyond the limit
  /// is stopped and counts as failed.
  public JobRequest timeout(Duration time) {
    return with(options.timeout(time));
  }

  /// Sets the longest time that an attempt may go without progress, heartbeat, checkpoint or log
  /// line. A silent attempt is stopped and counts as failed.
  public JobRequest heartbeatTimeout(Duration time) {
    return with(options.heartbeatTimeout(time));
  }

  /// Sets the maximum number of starts. With 1, the handler starts at most once, whatever happens.
  public JobRequest maxAttempts(int starts) {
    return with(options.maxAttempts(starts));
  }

  /// Sets the delays between attempts.
  public JobRequest backoff(Backoff backoff) {
    return with(options.backoff(backoff));
  }

  /// Sets the rule for retries: other failures end the job at once. Without a rule in the request,
  /// the rule of its type decides ([TypeOptions#retryIf]); without either, every failure is
  /// retried. A [NonRetryableException] is never retried.
  public JobRequest retryIf(RetryRule rule) {
    return with(options.retryIf(rule));
  }

  /// Adds a label, for searching.
  public JobRequest label(String name, String value) {
    return with(options.label(name, value));
  }

  /// Replaces all labels.
  public JobRequest labels(Map<String, String> labels) {
    return with(options.labels(labels));
  }

  public String type() {
    return type;
  }

  /// Payload, as given; null without one.
  public @Nullable Object payload() {
    return payload;
  }

  /// Queue; empty if the type's defaults decide.
  public Optional<String> queue() {
    return Optional.ofNullable(queue);
  }

  /// Priority; empty if the type's defaults decide.
  public OptionalInt priority() {
    return priority == null ? OptionalInt.empty() : OptionalInt.of(priority);
  }

  /// Unique key; empty without one.
  public Optional<String> key() {
    return Optional.ofNullable(key);
  }

  /// Earliest start time; empty without one.
  public Optional<Instant> runAt() {
    return Optional.ofNullable(runAt);
  }

  /// Delay from submission to the earliest start; empty without one.
  public Optional<Duration> delay() {
    return Optional.ofNullable(delay);
  }

  /// Time limit of an attempt; empty if the type's defaults decide.
  public Optional<Duration> timeout() {
    return Optional.ofNullable(options.timeout());
  }

  /// Longest silence of an attempt; empty if the type's defaults decide.
  public Optional<Duration> heartbeatTimeout() {
    return Optional.ofNullable(options.heartbeatTimeout());
  }

  /// Maximum number of starts; empty if the type's defaults decide.
  public OptionalInt maxAttempts() {
    var starts = options.maxAttempts();
    return starts == null ? OptionalInt.empty() : OptionalInt.of(starts);
  }

  /// Delays between attempts; empty if the type's defaults decide.
  public Optional<Backoff> backoff() {
    return Optional.ofNullable(options.backoff());
  }

  /// Rule for retries; empty if the type's defaults decide.
  public Optional<RetryRule> retryIf() {
    return Optional.ofNullable(options.retryIf());
  }

  /// Labels of this request, without those of its type.
  public Map<String, String> labels() {
    return options.labels();
  }

  private JobRequest with(OptionChoices next) {
    return new JobRequest(type, payload, queue, priority, key, runAt, delay, next);
  }
}
