package dev.handoff;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Default options of a job type, for all submissions that do not set the option. Immutable; each
/// method returns new options.
///
/// Options become part of a job at its submission: existing jobs keep theirs. A key of an existing
/// job with earlier defaults is a [Submission.KeyConflict], as with any other difference in
/// content.
public final class TypeOptions {

  /// No options: the engine's defaults.
  public static final TypeOptions NONE = new TypeOptions(null, null, OptionChoices.NONE, null);

  private final @Nullable String queue;
  private final @Nullable Integer priority;
  private final OptionChoices options;
  private final @Nullable Predicate<Throwable> retryIf;

  private TypeOptions(
      @Nullable String queue,
      @Nullable Integer priority,
      OptionChoices options,
      @Nullable Predicate<Throwable> retryIf) {
    this.queue = queue;
    this.priority = priority;
    this.options = options;
    this.retryIf = retryIf;
  }

  public TypeOptions queue(String name) {
    return new TypeOptions(Objects.requireNonNull(name, "name"), priority, options, retryIf);
  }

  /// Sets the priority: jobs with a higher priority run first within the queue.
  public TypeOptions priority(int value) {
    return new TypeOptions(queue, value, options, retryIf);
  }

  /// Sets the time limit of an attempt, counted from the handler call.
  public TypeOptions timeout(Duration time) {
    return with(options.timeout(time));
  }

  /// Sets the longest time that an attempt may go without progress, heartbeat, checkpoint or log
  /// line.
  public TypeOptions heartbeatTimeout(Duration time) {
    return with(options.heartbeatTimeout(time));
  }

  /// Sets the maximum number of starts of a job.
  public TypeOptions maxAttempts(int starts) {
    return with(options.maxAttempts(starts));
  }

  /// Sets the delays between attempts.
  public TypeOptions backoff(Backoff backoff) {
    return with(options.backoff(backoff));
  }

  /// Adds a label.
  public TypeOptions label(String name, String value) {
    return with(options.label(name, value));
  }

  /// Sets the predicate for retries: other failures end the job at once. The predicate runs on the
  /// thread of the failed attempt, for jobs without a rule of their own, and never for a
  /// [NonRetryableException]. It is not part of a job, so it also applies to existing jobs.
  public TypeOptions retryIf(Predicate<Throwable> rule) {
    Objects.requireNonNull(rule, "rule");
    return new TypeOptions(queue, priority, options, rule);
  }

  private TypeOptions with(OptionChoices next) {
    return new TypeOptions(queue, priority, next, retryIf);
  }

  /// Queue; empty for the default queue.
  public Optional<String> queue() {
    return Optional.ofNullable(queue);
  }

  /// Priority; empty for 0.
  public OptionalInt priority() {
    return priority == null ? OptionalInt.empty() : OptionalInt.of(priority);
  }

  /// Time limit of an attempt; empty without one.
  public Optional<Duration> timeout() {
    return Optional.ofNullable(options.timeout());
  }

  /// Longest silence of an attempt; empty without a limit.
  public Optional<Duration> heartbeatTimeout() {
    return Optional.ofNullable(options.heartbeatTimeout());
  }

  /// Maximum number of starts; empty for three.
  public OptionalInt maxAttempts() {
    var starts = options.maxAttempts();
    return starts == null ? OptionalInt.empty() : OptionalInt.of(starts);
  }

  /// Delays between attempts; empty for the default backoff.
  public Optional<Backoff> backoff() {
    return Optional.ofNullable(options.backoff());
  }

  /// Labels of every job of the type.
  public Map<String, String> labels() {
    return options.labels();
  }

  /// Predicate for retries; empty if every failure is retried.
  public Optional<Predicate<Throwable>> retryIf() {
    return Optional.ofNullable(retryIf);
  }
}
