package dev.handoff;

import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobSpec;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Default options of a job type, for all submissions that do not set the option. Immutable; each
/// method returns new options.
///
/// Options become part of a job at its submission: existing jobs keep theirs. A key of an existing
/// job with earlier defaults is a [Submission.KeyConflict], as with any other difference in
/// content.
public final class TypeOptions {

  static final TypeOptions NONE =
      new TypeOptions(null, null, OptionChoices.NONE, new RetryChoice(failure -> true));

  private final @Nullable String queue;
  private final @Nullable Integer priority;
  private final OptionChoices options;
  private final RetryChoice retries;

  /// Shared by all jobs whose requests set no option.
  private final JobOptions usual;

  private TypeOptions(
      @Nullable String queue,
      @Nullable Integer priority,
      OptionChoices options,
      RetryChoice retries) {
    this.queue = queue;
    this.priority = priority;
    this.options = options;
    this.retries = retries;
    usual = options.options();
  }

  public TypeOptions queue(String name) {
    return new TypeOptions(Objects.requireNonNull(name, "name"), priority, options, retries);
  }

  /// Sets the priority: jobs with a higher priority run first within the queue.
  public TypeOptions priority(int value) {
    return new TypeOptions(queue, value, options, retries);
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
    return new TypeOptions(queue, priority, options, new RetryChoice(rule));
  }

  private TypeOptions with(OptionChoices next) {
    return new TypeOptions(queue, priority, next, retries);
  }

  String queueOr(@Nullable String own) {
    return own != null ? own : queue != null ? queue : JobSpec.DEFAULT_QUEUE;
  }

  int priorityOr(@Nullable Integer own) {
    return own != null ? own : priority != null ? priority : 0;
  }

  JobOptions optionsOr(OptionChoices own) {
    return own == OptionChoices.NONE ? usual : own.or(options).options();
  }

  RetryChoice retries() {
    return retries;
  }
}
