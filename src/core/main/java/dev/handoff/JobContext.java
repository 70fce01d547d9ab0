package dev.handoff;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.plan.Capture;
import dev.handoff.plan.PlanChanges;
import dev.handoff.plan.WorkingCopy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// View of the current attempt for its handler: identity, reports, children, and access to the
/// plan. Thread-safe until the handler returns.
public interface JobContext {

  JobId id();

  /// Number of the attempt; 1 for the first. An outside system can use `id:attempt` as an
  /// idempotency key.
  int attempt();

  String type();

  String queue();

  Map<String, String> labels();

  /// Token that signals a cancel to the handler. Each attempt has its own token.
  CancellationToken cancellation();

  /// Reports the progress of the attempt, from 0 to 1. Calls may be as frequent as you like: the
  /// engine passes on at most ten a second and keeps the last one.
  void progress(double fraction, String message);

  /// Reports that the attempt is alive.
  void heartbeat();

  /// Appends a line to the job's log. The log keeps the newest 100 lines, of at most 1 KiB each.
  void log(String line);

  /// Stores a value that the next attempt can read. The stage completes when this value, or a newer
  /// one, is durable; during an outage of the store it stays open. The stage fails when the attempt
  /// is cancelled or already over for the engine, and when the engine ends.
  ///
  /// @throws InvalidRequestException if the value cannot be written as JSON, or is too large
  CompletionStage<Void> checkpoint(@Nullable Object value);

  /// Checkpoint that an earlier attempt stored; empty without one.
  ///
  /// @throws java.io.UncheckedIOException if the checkpoint cannot be read as this type
  <T> Optional<T> checkpoint(Class<T> type);

  /// Postpones the job: when the handler returns, the attempt ends without a result, and the next
  /// attempt may begin after the delay. A postponed attempt costs no start, even if `maxAttempts`
  /// is one. The handler's return value and its [#changes] are dropped; its checkpoint, log and
  /// children stay. A cancel during the delay ends the job. A handler that throws has failed as
  /// usual.
  ///
  /// @throws IllegalArgumentException if the delay is negative, or longer than a year
  void later(Duration delay);

  /// Submits a child job: a cancel of this job also cancels the child. A later attempt that submits
  /// the same key gets the same child. The answers are those of [Handoff#submit], plus
  /// [Submission.Refused] once this job is being cancelled. The submission is sent once: after
  /// [Submission.Unavailable] the child may or may not exist. Submitting again is harmless with a
  /// key; without a key, two children may exist then.
  CompletionStage<Submission> submit(JobRequest request);

  /// Waits for a child to end. During the wait this attempt gives its place to other jobs, so that
  /// parents never starve their children.
  ///
  /// @throws dev.handoff.cancel.CancelledException if this attempt is cancelled during the wait
  /// @throws IllegalStateException if the job does not exist, or if the handler returns while
  ///   another of its threads waits
  /// @throws InterruptedException if the attempt is interrupted during the wait
  Outcome await(JobHandle child) throws InterruptedException;

  /// Assembles context, as [Handoff#assemble] does. A cancel of this attempt cancels the request.
  CompletionStage<ContextAnswer> context(ContextRequest request);

  /// Id of the plan that has this job as a step; empty for a job outside a plan.
  Optional<String> plan();

  /// Name of the plan step that this job runs; empty for a job outside a plan.
  Optional<String> step();

  /// Changes that this attempt makes. They are committed to the plan together with the attempt's
  /// success, as one changeset. An attempt that does not succeed leaves no visible change.
  ///
  /// @throws IllegalStateException if the job is not a step of a plan
  PlanChanges changes();

  /// Records a decision for later steps, together with the attempt's changes: at most 20 decisions
  /// of 1,024 characters.
  ///
  /// @throws IllegalStateException if the job is not a step of a plan, or the attempt has no
  ///   decision left
  /// @throws IllegalArgumentException if the text is empty or too long
  void decide(String text);

  /// Result of another step of the same plan; empty if that result is null. A step listed in
  /// `after` has its result for certain.
  ///
  /// @throws IllegalStateException if the job is not a step of a plan, or the other step has not
  ///   succeeded
  /// @throws IllegalArgumentException if the other step does not exist or is a plan
  /// @throws InterruptedException if the attempt is interrupted during the wait
  <T> Optional<T> result(String step, Class<T> type) throws InterruptedException;

  /// Private directory of this attempt: a copy of another directory, with the changes of earlier
  /// steps applied. [WorkingCopy#record] adds all differences in it to the attempt's changes. The
  /// directory is removed at the end of the attempt, whatever its outcome.
  ///
  /// @throws IllegalStateException if the job is not a step of a plan
  /// @throws dev.handoff.plan.CaptureException if the copy cannot be made; the message says why
  /// @throws InterruptedException if the attempt is interrupted during the copy
  WorkingCopy workingCopy(Capture capture) throws InterruptedException;
}
