package dev.handoff.internal.job;

import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.job.JobFact.AttemptEnd;
import dev.handoff.internal.text.DurationWords;
import dev.handoff.internal.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Transition rules of a job: decisions for each command in one state at one time.
/// `docs/transitions.md` is generated from these rules.
///
/// @param now time of the decision and of every decided fact
/// @param random source of jitter
record JobTransitions(JobState job, Instant now, RandomGenerator random) {

  JobDecision decide(JobCommand command) {
    return switch (command) {
      case JobCommand.Release release -> release();
      case JobCommand.Claim(var by) -> claim(by);
      case JobCommand.Started(int attempt) -> started(attempt);
      case JobCommand.Report report -> report(report);
      case JobCommand.TimeOut(int attempt, var cause) -> timeOut(attempt, cause);
      case JobCommand.LoseWorker(int attempt) -> loseWorker(attempt);
      case JobCommand.Cancel(var reason, var by) ->
          cancel(new JobPhase.CancelRequest(reason, by, now));
      case JobCommand.SettleChildren(var unanswered) -> settleChildren(unanswered);
      case JobCommand.Retry(var by, boolean withPlan) -> retry(by, withPlan);
      case JobCommand.Checkpoint(int attempt, var value) ->
          fromAttempt(attempt, new JobFact.Checkpointed(attempt, value));
      case JobCommand.Note(int attempt, var notes) ->
          fromAttempt(attempt, new JobFact.Noted(attempt, notes));
      case JobCommand.AddChild(int attempt, var child) -> addChild(attempt, child);
      case JobCommand.GiveUp(var error) -> giveUp(error);
    };
  }

  private JobDecision release() {
    if (job.ended()) {
      return JobDecision.of(CommandVerdict.ALREADY_FINISHED);
    }
    return job.phase() instanceof JobPhase.Waiting
        ? JobDecision.done(new JobFact.Released(now))
        : JobDecision.of(CommandVerdict.DONE);
  }

  private JobDecision claim(ClaimingWorker by) {
    return job.isDue(now)
        ? JobDecision.done(new JobFact.Claimed(job.attempt() + 1, by, now))
        : JobDecision.of(job.ended() ? CommandVerdict.ALREADY_FINISHED : CommandVerdict.DECLINED);
  }

  private JobDecision started(int attempt) {
    if (!isCurrent(attempt)) {
      return JobDecision.of(stale());
    }
    return hasStarted()
        ? JobDecision.of(CommandVerdict.DONE)
        : JobDecision.done(new JobFact.Started(attempt, now));
  }

  private JobDecision report(JobCommand.Report report) {
    if (!isCurrent(report.attempt())) {
      return late(report);
    }
    return job.phase() instanceof JobPhase.Stopping stopping
        ? stopped(stopping, report.report(), report.notes())
        : reported(report.report(), report.notes());
  }

  /// Decides a report of the current attempt while no stop is requested.
  private JobDecision reported(AttemptReport report, AttemptNotes notes) {
    return switch (report) {
      case AttemptReport.Returned(var result, var contribution) ->
          JobDecision.done(new JobFact.Succeeded(job.attempt(), result, notes, now, contribution));
      case AttemptReport.Threw(var error, boolean forGood, var why) ->
          JobDecision.done(threw(error, forGood, notes));
      case AttemptReport.Later(var delay) ->
          JobDecision.done(new JobFact.Postponed(job.attempt(), now.plus(delay), notes, now));
      case AttemptReport.NeverStarted none -> JobDecision.done(neverStarted(notes));
      case AttemptReport.Stopped(var cause) ->
          JobDecision.done(stoppedByWorker(cause, false, notes));
      case AttemptReport.Abandoned(var cause) ->
          JobDecision.done(stoppedByWorker(cause, true, notes));
    };
  }

  private JobFact threw(JobError error, boolean forGood, AttemptNotes notes) {
    return forGood
        ? new JobFact.Failed(end(EndCause.FAILED, error, false, false, notes))
        : again(EndCause.FAILED, error, false, notes);
  }

  /// A claim without a start costs no start. A worker that reports `NeverStarted` after `Started`
  /// has lost track of the attempt: the start is used up.
  private JobFact neverStarted(AttemptNotes notes) {
    return hasStarted()
        ? atOnce(EndCause.WORKER_LOST, error(EndCause.WORKER_LOST), true, notes)
        : new JobFact.Returned(job.attempt(), EndCause.NEVER_STARTED, notes, now);
  }

  /// Decides an attempt's end that the worker caused on its own.
  private JobFact stoppedByWorker(Cancellation.Cause why, boolean abandoned, AttemptNotes notes) {
    return switch (why) {
      case SHUTDOWN -> shutDown(abandoned, notes);
      case LEASE_LOST ->
          atOnce(EndCause.WORKER_LOST, error(EndCause.WORKER_LOST), abandoned, notes);
      case TIMEOUT -> again(EndCause.TIMED_OUT, error(EndCause.TIMED_OUT), abandoned, notes);
      case HEARTBEAT ->
          again(EndCause.HEARTBEAT_LOST, error(EndCause.HEARTBEAT_LOST), abandoned, notes);
      case REQUESTED ->
          again(
              EndCause.FAILED,
              JobError.of("stopped", "stopped, and nobody asked"),
              abandoned,
              notes);
    };
  }

  /// Ends an attempt at shutdown. An obedient handler costs no start, unless the job may start only
  /// once.
  private JobFact shutDown(boolean abandoned, AttemptNotes notes) {
    boolean isFree = !abandoned && job.spec().options().maxAttempts() > 1;
    return isFree
        ? new JobFact.Returned(job.attempt(), EndCause.SHUTDOWN, notes, now)
        : atOnce(EndCause.SHUTDOWN, error(EndCause.SHUTDOWN), abandoned, notes);
  }

  /// Decides a report of the current attempt after a stop was requested: no report counts as a
  /// result.
  private JobDecision stopped(
      JobPhase.Stopping stopping, AttemptReport report, AttemptNotes notes) {
    boolean discarded = report instanceof AttemptReport.Returned;
    boolean abandoned = isAbandoned(report);
    var request = stopping.request();
    if (request == null) {
      return JobDecision.done(timedOut(stopping.cause(), report, notes));
    }
    return JobDecision.done(
        job.trail().children().isEmpty()
            ? new JobFact.Cancelled(request, abandoned, discarded, List.of(), notes, now)
            : new JobFact.AttemptStopped(
                end(EndCause.CANCELLED, error(EndCause.CANCELLED), abandoned, discarded, notes)));
  }

  private JobFact timedOut(JobPhase.StopCause stop, AttemptReport report, AttemptNotes notes) {
    return switch (report) {
      case AttemptReport.NeverStarted none when !hasStarted() -> neverStarted(notes);
      case AttemptReport.NeverStarted lost -> again(stop.end(), error(stop.end()), true, notes);
      case AttemptReport.Returned late ->
          delayed(end(stop.end(), error(stop.end()), false, true, notes));
      case AttemptReport.Threw stopped -> again(stop.end(), error(stop.end()), false, notes);
      case AttemptReport.Later late -> again(stop.end(), error(stop.end()), false, notes);
      case AttemptReport.Stopped stopped -> again(stop.end(), error(stop.end()), false, notes);
      case AttemptReport.Abandoned running -> again(stop.end(), error(stop.end()), true, notes);
    };
  }

  /// Decides a report of an ended attempt: the ending report repeated, or news of an abandoned
  /// attempt.
  private JobDecision late(JobCommand.Report report) {
    var past = job.trail().attempt(report.attempt());
    if (past == null) {
      return JobDecision.of(stale());
    }
    if (past.wasEndedBy(report.report())) {
      return JobDecision.of(CommandVerdict.DONE);
    }
    boolean isNews = past.abandoned() && past.late() == null && !isAbandoned(report.report());
    return isNews && !job.ended()
        ? JobDecision.of(
            CommandVerdict.FENCED,
            new JobFact.LateReport(report.attempt(), said(report.report()), now))
        : JobDecision.of(stale());
  }

  private static boolean isAbandoned(AttemptReport report) {
    return report instanceof AttemptReport.Abandoned;
  }

  private static String said(AttemptReport report) {
    return switch (report) {
      case AttemptReport.Returned result -> "returned a result";
      case AttemptReport.Threw(var error, boolean forGood, var why) ->
          "failed: " + SafeText.clean(error.message(), 200);
      case AttemptReport.Later later -> "wanted to be called again later";
      case AttemptReport.Stopped stopped -> "stopped";
      case AttemptReport.Abandoned running -> "still runs";
      case AttemptReport.NeverStarted none -> "was never started";
    };
  }

  private JobDecision timeOut(int attempt, JobPhase.StopCause cause) {
    if (!isCurrent(attempt)) {
      return JobDecision.of(stale());
    }
    return job.phase() instanceof JobPhase.Stopping
        ? JobDecision.of(CommandVerdict.DONE)
        : JobDecision.done(new JobFact.StopRequested(attempt, cause, now));
  }

  private JobDecision loseWorker(int attempt) {
    if (!isCurrent(attempt)) {
      return JobDecision.of(stale());
    }
    return job.phase() instanceof JobPhase.Stopping stopping
        ? stopped(
            stopping, new AttemptReport.Abandoned(Cancellation.Cause.LEASE_LOST), AttemptNotes.NONE)
        : JobDecision.done(
            atOnce(EndCause.WORKER_LOST, error(EndCause.WORKER_LOST), true, AttemptNotes.NONE));
  }

  private JobDecision cancel(JobPhase.CancelRequest request) {
    return switch (job.phase()) {
      case JobPhase.Idle never -> JobDecision.done(cancelledBeforeClaim(request));
      case JobPhase.Assigned runs -> JobDecision.done(new JobFact.CancelRequested(request));
      case JobPhase.Stopping stopping when stopping.request() == null ->
          JobDecision.done(new JobFact.CancelRequested(request));
      case JobPhase.Stopping already -> JobDecision.of(CommandVerdict.DONE);
      case JobPhase.Ended over -> JobDecision.of(CommandVerdict.ALREADY_FINISHED);
    };
  }

  /// Cancels a job without a running attempt. A job with children stays until the children are
  /// cancelled.
  private JobFact cancelledBeforeClaim(JobPhase.CancelRequest request) {
    return job.trail().children().isEmpty()
        ? new JobFact.Cancelled(request, false, false, List.of(), AttemptNotes.NONE, now)
        : new JobFact.CancelRequested(request);
  }

  private JobDecision settleChildren(List<JobId> unanswered) {
    if (job.ended()) {
      return JobDecision.of(CommandVerdict.ALREADY_FINISHED);
    }
    return job.phase() instanceof JobPhase.Stopping(var cause, var since, var run, var request)
            && request != null
            && run == null
        ? JobDecision.done(settled(request, unanswered))
        : JobDecision.of(CommandVerdict.DECLINED);
  }

  /// Copies the flags of the cancelled attempt from its record, made when the attempt stopped.
  private JobFact settled(JobPhase.CancelRequest request, List<JobId> unanswered) {
    var last = job.trail().attempt(job.attempt());
    boolean met = last != null && last.cause() == EndCause.CANCELLED;
    boolean abandoned = met && last.abandoned();
    boolean discarded = met && last.isDiscarded();
    return new JobFact.Cancelled(request, abandoned, discarded, unanswered, AttemptNotes.NONE, now);
  }

  /// A step is reopened only with its plan, which relies on its steps' outcomes.
  private JobDecision retry(String by, boolean withPlan) {
    if (job.spec().isStep() && !withPlan) {
      return JobDecision.of(CommandVerdict.STEP_OF_A_PLAN);
    }
    return switch (job.phase()) {
      case JobPhase.Failed failed -> JobDecision.done(new JobFact.Reopened(job, by, now));
      case JobPhase.Cancelled cancelled -> JobDecision.done(new JobFact.Reopened(job, by, now));
      case JobPhase.Succeeded succeeded -> JobDecision.of(CommandVerdict.ALREADY_FINISHED);
      case JobPhase.Live live -> JobDecision.of(CommandVerdict.DECLINED);
    };
  }

  private JobDecision fromAttempt(int attempt, JobFact fact) {
    return isCurrent(attempt) ? JobDecision.done(fact) : JobDecision.of(stale());
  }

  private JobDecision addChild(int attempt, ChildJob child) {
    if (!isCurrent(attempt)) {
      return JobDecision.of(stale());
    }
    if (job.phase() instanceof JobPhase.Stopping) {
      return JobDecision.of(CommandVerdict.BEING_CANCELLED);
    }
    var known = job.trail().childWithKey(child.key());
    if (known != null) {
      return JobDecision.of(
          known.fingerprint().equals(child.fingerprint())
              ? CommandVerdict.DONE
              : CommandVerdict.KEY_CONFLICT);
    }
    return job.trail().hasRoomFor(child)
        ? JobDecision.done(new JobFact.ChildAdded(child))
        : JobDecision.of(CommandVerdict.TOO_MANY_CHILDREN);
  }

  /// A job with a durable cancel ends as cancelled; its children's ends are unknown.
  private JobDecision giveUp(JobError error) {
    if (job.ended()) {
      return JobDecision.of(CommandVerdict.ALREADY_FINISHED);
    }
    boolean runs = job.underway().isPresent();
    if (job.phase() instanceof JobPhase.Stopping stopping && stopping.request() != null) {
      var unheard = job.trail().children().stream().map(ChildJob::id).toList();
      return JobDecision.done(
          new JobFact.Cancelled(stopping.request(), runs, false, unheard, AttemptNotes.NONE, now));
    }
    return JobDecision.done(
        new JobFact.Failed(end(EndCause.FAILED, error, runs, false, AttemptNotes.NONE)));
  }

  /// Retries after the backoff while starts are left, else fails the job.
  private JobFact again(EndCause cause, JobError error, boolean abandoned, AttemptNotes notes) {
    return delayed(end(cause, error, abandoned, false, notes));
  }

  private JobFact delayed(AttemptEnd end) {
    var delay = job.spec().options().backoff().after(job.starts(), random);
    return job.hasStartLeft()
        ? new JobFact.RetryScheduled(end, now.plus(delay))
        : new JobFact.Failed(end);
  }

  /// Retries immediately while starts are left, else fails the job: the handler was not at fault.
  private JobFact atOnce(EndCause cause, JobError error, boolean abandoned, AttemptNotes notes) {
    var end = end(cause, error, abandoned, false, notes);
    return job.hasStartLeft() ? new JobFact.RetryScheduled(end, now) : new JobFact.Failed(end);
  }

  private AttemptEnd end(
      EndCause cause, JobError error, boolean abandoned, boolean discarded, AttemptNotes notes) {
    return new AttemptEnd(job.attempt(), cause, error, abandoned, discarded, notes, now);
  }

  /// A worker may report a timeout that the job does not have.
  private static String words(@Nullable Duration limit) {
    return limit == null ? "none" : DurationWords.exact(limit);
  }

  private JobError error(EndCause cause) {
    var options = job.spec().options();
    return switch (cause) {
      case TIMED_OUT ->
          JobError.of(cause.label(), "ran longer than its timeout of " + words(options.timeout()));
      case HEARTBEAT_LOST ->
          JobError.of(
              cause.label(), "gave no sign of life for " + words(options.heartbeatTimeout()));
      case WORKER_LOST ->
          JobError.of("worker-lost", "the worker of attempt " + job.attempt() + " is gone");
      case SHUTDOWN ->
          JobError.of(
              "shutdown", "the engine was shut down while attempt " + job.attempt() + " ran");
      case CANCELLED, FAILED, NEVER_STARTED, LATER -> JobError.of(cause.label(), cause.label());
    };
  }

  private boolean hasStarted() {
    return job.underway().filter(run -> run.startedAt() != null).isPresent();
  }

  private boolean isCurrent(int attempt) {
    return attempt == job.attempt() && job.underway().isPresent();
  }

  private CommandVerdict stale() {
    return job.ended() ? CommandVerdict.ALREADY_FINISHED : CommandVerdict.FENCED;
  }
}
