package dev.handoff;

import dev.handoff.job.Backoff;
import dev.handoff.job.JobOptions;
import dev.handoff.job.JobSpec;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The options of a type: what its jobs have where their requests do not say otherwise, however
/// they are submitted. Immutable; each method gives new ones.
///
/// They become part of a job when it is submitted: one that is there keeps what it has. A key that
/// belongs to a job with former options is a [Submission.KeyConflict], as with any other content.
public final class TypeOptions {

  static final TypeOptions NONE =
      new TypeOptions(null, null, OptionChoices.NONE, new RetryChoice(failure -> true));

  private final @Nullable String queue;
  private final @Nullable Integer priority;
  private final OptionChoices options;
  private final RetryChoice retries;

  /// Shared by all jobs whose requests say nothing of their options.
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

  /// Higher goes first within the queue.
  public TypeOptions priority(int value) {
    return new TypeOptions(queue, value, options, retries);
  }

  /// How long an attempt may run, from the first step of its handler.
  public TypeOptions timeout(Duration time) {
    return with(options.timeout(time));
  }

  /// How long an attempt may go without progress, heartbeat, checkpoint or log line.
  public TypeOptions heartbeatTimeout(Duration time) {
    return with(options.heartbeatTimeout(time));
  }

  /// How often a job may be started.
  public TypeOptions maxAttempts(int starts) {
    return with(options.maxAttempts(starts));
  }

  /// How long to wait before the next attempt.
  public TypeOptions backoff(Backoff backoff) {
    return with(options.backoff(backoff));
  }

  /// Adds a label.
  public TypeOptions label(String name, String value) {
    return with(options.label(name, value));
  }

  /// Which failures are tried again; others end the job at once. Asked on the thread of the attempt
  /// that has failed, of jobs whose request has no rule of its own; never of a
  /// [NonRetryableException]. Not part of a job: what is set here holds for those that are there,
  /// too.
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
