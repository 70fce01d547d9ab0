package dev.handoff.job;

import dev.handoff.actor.DurationWords;
import dev.handoff.cancel.Cancellation;
import dev.handoff.job.JobFact.AttemptEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The rules of a job's life: what each command leads to in one state, at one time. The table that
/// is generated from these rules is `docs/transitions.md`.
///
/// @param now the time of the decision; every fact that is decided carries it
/// @param random for the jitter of delays
record Transitions(JobState job, Instant now, RandomGenerator random) {

  Decision decide(JobCommand command) {
    return switch (command) {
      case JobCommand.Release release -> release();
      case JobCommand.Claim(var by) -> claim(by);
      case JobCommand.Started(int attempt) -> started(attempt);
      case JobCommand.Report report -> report(report);
      case JobCommand.TimeOut(int attempt, var cause) -> timeOut(attempt, cause);
      case JobCommand.LoseWorker(int attempt) -> loseWorker(attempt);
      case JobCommand.Cancel(var reason, var by) ->
          cancel(new Phase.CancelRequest(reason, by, now));
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

  private Decision release() {
    if (job.ended()) {
      return Decision.of(Verdict.ALREADY_FINISHED);
    }
    return job.phase() instanceof Phase.Waiting
        ? Decision.done(new JobFact.Released(now))
        : Decision.of(Verdict.DONE);
  }

  private Decision claim(Claimant by) {
    return job.isDue(now)
        ? Decision.done(new JobFact.Claimed(job.attempt() + 1, by, now))
        : Decision.of(job.ended() ? Verdict.ALREADY_FINISHED : Verdict.DECLINED);
  }

  private Decision started(int attempt) {
    if (!isCurrent(attempt)) {
      return Decision.of(stale());
    }
    return hasStarted()
        ? Decision.of(Verdict.DONE)
        : Decision.done(new JobFact.Started(attempt, now));
  }

  private Decision report(JobCommand.Report report) {
    if (!isCurrent(report.attempt())) {
      return late(report);
    }
    return job.phase() instanceof Phase.Stopping stopping
        ? stopped(stopping, report.report(), report.notes())
        : reported(report.report(), report.notes());
  }

  /// A report of the current attempt, which nobody has asked to stop.
  private Decision reported(AttemptReport report, Notes notes) {
    return switch (report) {
      case AttemptReport.Returned(var result, var contribution) ->
          Decision.done(new JobFact.Succeeded(job.attempt(), result, notes, now, contribution));
      case AttemptReport.Threw(var error, boolean forGood, var why) ->
          Decision.done(threw(error, forGood, notes));
      case AttemptReport.Later(var delay) ->
          Decision.done(new JobFact.Postponed(job.attempt(), now.plus(delay), notes, now));
      case AttemptReport.NeverStarted none -> Decision.done(neverStarted(notes));
      case AttemptReport.Stopped(var cause) -> Decision.done(stoppedByWorker(cause, false, notes));
      case AttemptReport.Abandoned(var cause) -> Decision.done(stoppedByWorker(cause, true, notes));
    };
  }

  private JobFact threw(JobError error, boolean forGood, Notes notes) {
    return forGood
        ? new JobFact.Failed(end(EndCause.FAILED, error, false, false, notes))
        : again(EndCause.FAILED, error, false, notes);
  }

  /// A claim that came to nothing costs no start. A worker that says so after it said that it
  /// started has lost track of the attempt: the start has been used up.
  private JobFact neverStarted(Notes notes) {
    return hasStarted()
        ? atOnce(EndCause.WORKER_LOST, error(EndCause.WORKER_LOST), true, notes)
        : new JobFact.Returned(job.attempt(), EndCause.NEVER_STARTED, notes, now);
  }

  /// The worker stopped the attempt of its own accord.
  private JobFact stoppedByWorker(Cancellation.Cause why, boolean abandoned, Notes notes) {
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

  /// The engine shuts down. That costs no start if the handler obeyed, unless the job may only be
  /// started once.
  private JobFact shutDown(boolean abandoned, Notes notes) {
    boolean isFree = !abandoned && job.spec().options().maxAttempts() > 1;
    return isFree
        ? new JobFact.Returned(job.attempt(), EndCause.SHUTDOWN, notes, now)
        : atOnce(EndCause.SHUTDOWN, error(EndCause.SHUTDOWN), abandoned, notes);
  }

  /// A report of the current attempt, which was asked to stop: whatever it says, it does not count
  /// as a result.
  private Decision stopped(Phase.Stopping stopping, AttemptReport report, Notes notes) {
    boolean discarded = report instanceof AttemptReport.Returned;
    boolean abandoned = isAbandoned(report);
    var request = stopping.request();
    if (request == null) {
      return Decision.done(timedOut(stopping.cause(), report, notes));
    }
    return Decision.done(
        job.trail().children().isEmpty()
            ? new JobFact.Cancelled(request, abandoned, discarded, List.of(), notes, now)
            : new JobFact.AttemptStopped(
                end(EndCause.CANCELLED, error(EndCause.CANCELLED), abandoned, discarded, notes)));
  }

  private JobFact timedOut(Phase.StopCause stop, AttemptReport report, Notes notes) {
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

  /// A report of an attempt that is over: the one that ended it, once more, or news of an attempt
  /// that was given up.
  private Decision late(JobCommand.Report report) {
    var past = job.trail().attempt(report.attempt());
    if (past == null) {
      return Decision.of(stale());
    }
    if (past.wasEndedBy(report.report())) {
      return Decision.of(Verdict.DONE);
    }
    boolean isNews = past.abandoned() && past.late() == null && !isAbandoned(report.report());
    return isNews && !job.ended()
        ? Decision.of(
            Verdict.FENCED, new JobFact.LateReport(report.attempt(), said(report.report()), now))
        : Decision.of(stale());
  }

  private static boolean isAbandoned(AttemptReport report) {
    return report instanceof AttemptReport.Abandoned;
  }

  private static String said(AttemptReport report) {
    return switch (report) {
      case AttemptReport.Returned result -> "returned a result";
      case AttemptReport.Threw(var error, boolean forGood, var why) ->
          "failed: " + Text.clean(error.message(), 200);
      case AttemptReport.Later later -> "wanted to be called again later";
      case AttemptReport.Stopped stopped -> "stopped";
      case AttemptReport.Abandoned running -> "still runs";
      case AttemptReport.NeverStarted none -> "was never started";
    };
  }

  private Decision timeOut(int attempt, Phase.StopCause cause) {
    if (!isCurrent(attempt)) {
      return Decision.of(stale());
    }
    return job.phase() instanceof Phase.Stopping
        ? Decision.of(Verdict.DONE)
        : Decision.done(new JobFact.StopRequested(attempt, cause, now));
  }

  private Decision loseWorker(int attempt) {
    if (!isCurrent(attempt)) {
      return Decision.of(stale());
    }
    return job.phase() instanceof Phase.Stopping stopping
        ? stopped(stopping, new AttemptReport.Abandoned(Cancellation.Cause.LEASE_LOST), Notes.NONE)
        : Decision.done(
            atOnce(EndCause.WORKER_LOST, error(EndCause.WORKER_LOST), true, Notes.NONE));
  }

  private Decision cancel(Phase.CancelRequest request) {
    return switch (job.phase()) {
      case Phase.Idle never -> Decision.done(cancelledBeforeClaim(request));
      case Phase.Claimed claimed -> Decision.done(new JobFact.CancelRequested(request));
      case Phase.Running running -> Decision.done(new JobFact.CancelRequested(request));
      case Phase.Stopping stopping when stopping.request() == null ->
          Decision.done(new JobFact.CancelRequested(request));
      case Phase.Stopping already -> Decision.of(Verdict.DONE);
      case Phase.Ended over -> Decision.of(Verdict.ALREADY_FINISHED);
    };
  }

  /// Nothing runs. With children the job still has to stay until they are told.
  private JobFact cancelledBeforeClaim(Phase.CancelRequest request) {
    return job.trail().children().isEmpty()
        ? new JobFact.Cancelled(request, false, false, List.of(), Notes.NONE, now)
        : new JobFact.CancelRequested(request);
  }

  private Decision settleChildren(List<JobId> unanswered) {
    if (job.ended()) {
      return Decision.of(Verdict.ALREADY_FINISHED);
    }
    return job.phase() instanceof Phase.Stopping(var cause, var since, var run, var request)
            && request != null
            && run == null
        ? Decision.done(settled(request, unanswered))
        : Decision.of(Verdict.DECLINED);
  }

  /// What became of the attempt that the cancel met, if it met one, was recorded when it stopped.
  private JobFact settled(Phase.CancelRequest request, List<JobId> unanswered) {
    var last = job.trail().attempt(job.attempt());
    boolean met = last != null && last.cause() == EndCause.CANCELLED;
    boolean abandoned = met && last.abandoned();
    boolean discarded = met && last.isDiscarded();
    return new JobFact.Cancelled(request, abandoned, discarded, unanswered, Notes.NONE, now);
  }

  /// A step is opened again with its plan only, which counts on what its steps came to.
  private Decision retry(String by, boolean withPlan) {
    if (job.spec().isStep() && !withPlan) {
      return Decision.of(Verdict.STEP_OF_A_PLAN);
    }
    return switch (job.phase()) {
      case Phase.Failed failed -> Decision.done(new JobFact.Reopened(job, by, now));
      case Phase.Cancelled cancelled -> Decision.done(new JobFact.Reopened(job, by, now));
      case Phase.Succeeded succeeded -> Decision.of(Verdict.ALREADY_FINISHED);
      case Phase.Idle live -> Decision.of(Verdict.DECLINED);
      case Phase.Claimed live -> Decision.of(Verdict.DECLINED);
      case Phase.Running live -> Decision.of(Verdict.DECLINED);
      case Phase.Stopping live -> Decision.of(Verdict.DECLINED);
    };
  }

  private Decision fromAttempt(int attempt, JobFact fact) {
    return isCurrent(attempt) ? Decision.done(fact) : Decision.of(stale());
  }

  private Decision addChild(int attempt, Child child) {
    if (!isCurrent(attempt)) {
      return Decision.of(stale());
    }
    if (job.phase() instanceof Phase.Stopping) {
      return Decision.of(Verdict.BEING_CANCELLED);
    }
    var known = job.trail().childWithKey(child.key());
    if (known != null) {
      return Decision.of(
          known.fingerprint().equals(child.fingerprint()) ? Verdict.DONE : Verdict.KEY_CONFLICT);
    }
    return job.trail().hasRoomFor(child)
        ? Decision.done(new JobFact.ChildAdded(child))
        : Decision.of(Verdict.TOO_MANY_CHILDREN);
  }

  /// A job that was being cancelled is cancelled; whether its children have ended is not known.
  private Decision giveUp(JobError error) {
    if (job.ended()) {
      return Decision.of(Verdict.ALREADY_FINISHED);
    }
    boolean runs = job.underway().isPresent();
    if (job.phase() instanceof Phase.Stopping stopping && stopping.request() != null) {
      var unheard = job.trail().children().stream().map(Child::id).toList();
      return Decision.done(
          new JobFact.Cancelled(stopping.request(), runs, false, unheard, Notes.NONE, now));
    }
    return Decision.done(new JobFact.Failed(end(EndCause.FAILED, error, runs, false, Notes.NONE)));
  }

  /// Another start after a delay if one is left, else the end.
  private JobFact again(EndCause cause, JobError error, boolean abandoned, Notes notes) {
    return delayed(end(cause, error, abandoned, false, notes));
  }

  private JobFact delayed(AttemptEnd end) {
    var delay = job.spec().options().backoff().after(job.starts(), random);
    return job.hasStartLeft()
        ? new JobFact.RetryScheduled(end, now.plus(delay))
        : new JobFact.Failed(end);
  }

  /// Another start without delay if one is left, else the end: it was not the handler's fault.
  private JobFact atOnce(EndCause cause, JobError error, boolean abandoned, Notes notes) {
    var end = end(cause, error, abandoned, false, notes);
    return job.hasStartLeft() ? new JobFact.RetryScheduled(end, now) : new JobFact.Failed(end);
  }

  private AttemptEnd end(
      EndCause cause, JobError error, boolean abandoned, boolean discarded, Notes notes) {
    return new AttemptEnd(job.attempt(), cause, error, abandoned, discarded, notes, now);
  }

  /// A worker may report the end of a limit that the job has not.
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

  private Verdict stale() {
    return job.ended() ? Verdict.ALREADY_FINISHED : Verdict.FENCED;
  }
}
