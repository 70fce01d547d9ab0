package dev.handoff;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.job.JobId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// What a handler knows of its attempt, and can say about it. Safe to use from any thread until the
/// handler returns.
public interface JobContext {

  JobId id();

  /// 1 for the first attempt. `id:attempt` is a key that an outside system can use to tell repeated
  /// effects.
  int attempt();

  String type();

  String queue();

  Map<String, String> labels();

  /// Asks the handler to stop. Each attempt has its own.
  CancellationToken cancellation();

  /// Says how far the attempt is, from 0 to 1. As often as wanted: at most ten a second are passed
  /// on, the last one is kept.
  void progress(double fraction, String message);

  /// Says that the attempt is alive.
  void heartbeat();

  /// Keeps a line with the job: at most 100 lines of 1 KiB, the newest.
  void log(String line);

  /// Keeps a value that the next attempt can read. Done when it, or a newer one, is durable: while
  /// the store is away that takes as long as it is away. Fails when the attempt is cancelled or is
  /// over for the engine, and when the engine ends.
  CompletionStage<Void> checkpoint(@Nullable Object value);

  /// What an earlier attempt kept.
  <T> Optional<T> checkpoint(Class<T> type);

  /// Puts the job back: when the handler has returned, the attempt is over without a result, and
  /// the next one may begin after this time. That costs no start, also with `maxAttempts` 1. What
  /// the handler returns is not kept, and nothing of its [#changes]; its checkpoint, log and
  /// children are. A cancel meanwhile ends the job, and a handler that throws has failed as ever.
  ///
  /// @throws IllegalArgumentException if the time is negative, or more than a year
  void later(Duration delay);

  /// Submits a job that belongs to this one: cancelling this one cancels it. The same key of a
  /// later attempt gives the same child. Answered as [Handoff#submit]; refused with
  /// [Submission.Refused] once this job is being cancelled. Asked once: after
  /// [Submission.Unavailable] the child may be there or not. One with a key is submitted again
  /// without harm, one without a key may be there twice then.
  CompletionStage<Submission> submit(JobRequest request);

  /// Waits for a child to end. Meanwhile this attempt gives its worker back, so that parents never
  /// starve their children.
  ///
  /// @throws InterruptedException if this attempt is interrupted while it waits
  Outcome await(JobHandle child) throws InterruptedException;

  /// Assembles context, as [Handoff#assemble] does; cancelled with this attempt.
  CompletionStage<ContextAnswer> context(ContextRequest request);

  /// The id of the plan that the job is a step of; empty if it is none.
  Optional<String> plan();

  /// The name of the step that the job is; empty if it is none.
  Optional<String> step();

  /// What this attempt changes. It is committed to the plan with the attempt's success, as one
  /// changeset; if it does not succeed, nothing of it is ever seen.
  ///
  /// @throws IllegalStateException if the job is no step of a plan
  PlanChanges changes();

  /// Keeps a decision for the steps after this one, with the attempt's changes: at most 20 of 1,024
  /// characters.
  ///
  /// @throws IllegalStateException if the job is no step of a plan, or has made as many as it may
  /// @throws IllegalArgumentException if it is empty or too long
  void decide(String text);

  /// What another step of the same plan has come to; empty if that is nothing. To be sure that it
  /// is there, name that step in `after`.
  ///
  /// @throws IllegalStateException if the job is no step of a plan, or the other one has not
  ///   succeeded
  /// @throws IllegalArgumentException if there is no such step, or it is a plan
  /// @throws InterruptedException if this attempt is interrupted while it waits
  <T> Optional<T> result(String step, Class<T> type) throws InterruptedException;

  /// A directory of the attempt's own: a copy of another one, with what the steps before this one
  /// have changed. What is different in it when [WorkingCopy#record] is called becomes part of the
  /// attempt's changes. Removed when the attempt ends, however that is.
  ///
  /// @throws IllegalStateException if the job is no step of a plan
  /// @throws dev.handoff.plan.capture.CaptureException if it cannot be made: it says why
  /// @throws InterruptedException if this attempt is interrupted meanwhile
  WorkingCopy workingCopy(Capture capture) throws InterruptedException;
}
