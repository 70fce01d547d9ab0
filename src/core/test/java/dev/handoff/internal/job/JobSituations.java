package dev.handoff.internal.job;

import dev.handoff.Backoff;
import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation.Cause;
import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.internal.text.Ulid;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorRef;

/// Jobs in all situations that the rules distinguish, each created by its commands.
public final class JobSituations {

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final JobId ID = id(7);
  static final ClaimingWorker WORKER = new ClaimingWorker(new PoolId("pool-1"), "worker-1");
  static final JobError ERROR = JobError.of("java.io.IOException", "no route to host");
  static final Json RESULT = Json.of("{\"done\":true}");
  static final ChildJob CHILD = new ChildJob(id(8), "left", "0a1b2c");

  private JobSituations() {}

  static JobId id(int number) {
    return new JobId(new Ulid(new Random(number)).next(NOW.toEpochMilli(), 3));
  }

  static JobSpec spec() {
    return JobSpec.of("thumbnail", Json.of("{\"file\":\"a.png\"}"));
  }

  static JobSpec spec(int maxAttempts) {
    var options =
        new JobOptions(
            Duration.ofMinutes(1),
            Duration.ofSeconds(10),
            maxAttempts,
            Backoff.fixed(Duration.ofSeconds(5)),
            Map.of());
    return new JobSpec(
        "thumbnail", Json.of("{\"file\":\"a.png\"}"), "images", 0, null, null, options, null);
  }

  static JobState submitted(JobSpec spec) {
    return JobState.create(ID, new JobFact.Submitted(spec, NOW, false));
  }

  static JobState waiting() {
    return JobState.create(ID, new JobFact.Submitted(spec(3), NOW, true));
  }

  static JobState scheduled() {
    var spec = spec(3);
    var later =
        new JobSpec(
            spec.type(),
            spec.payload(),
            spec.queue(),
            0,
            null,
            NOW.plusSeconds(3600),
            spec.options(),
            null);
    return submitted(later);
  }

  static JobState queued() {
    return submitted(spec(3));
  }

  static JobState claimed() {
    return after(queued(), claim());
  }

  static JobState running() {
    return after(claimed(), started(1));
  }

  static JobState parent() {
    return after(running(), new JobCommand.AddChild(1, CHILD));
  }

  static JobState queuedParent() {
    return after(parent(), report(1, new AttemptReport.Stopped(Cause.SHUTDOWN)));
  }

  static JobState cancelling() {
    return after(running(), cancel());
  }

  static JobState succeeded() {
    return after(running(), report(1, new AttemptReport.Returned(RESULT)));
  }

  static JobState failed() {
    return after(runningOnce(), report(1, new AttemptReport.Threw(ERROR)));
  }

  static JobState cancelled() {
    return after(cancelling(), report(1, new AttemptReport.Stopped(Cause.REQUESTED)));
  }

  static JobState abandoned() {
    return after(cancelling(), report(1, new AttemptReport.Abandoned(Cause.REQUESTED)));
  }

  static JobState runningOnce() {
    return after(submitted(spec(1)), claim(), started(1));
  }

  /// Job with attempt 2 running; the worker of attempt 1 was lost, so attempt 1 can still report.
  static JobState runningAgain() {
    return after(running(), new JobCommand.LoseWorker(1), claim(), started(2));
  }

  /// Job with its third and last start running.
  static JobState runningLast() {
    return after(runningAgain(), new JobCommand.LoseWorker(2), claim(), started(3));
  }

  /// All situations by their names in the transition table.
  static Map<String, JobState> situations() {
    var all = new LinkedHashMap<String, JobState>();
    all.put("waiting", waiting());
    all.put("scheduled", scheduled());
    all.put("queued", queued());
    all.put("queued, with a child", queuedParent());
    all.put("claimed", claimed());
    all.put("claimed, `maxAttempts = 1`", after(submitted(spec(1)), claim()));
    all.put("running", running());
    all.put("running, `maxAttempts = 1`", runningOnce());
    all.put("running again, attempt 1 was lost", runningAgain());
    all.put("running, no start left", runningLast());
    all.put("running, with a child", parent());
    all.put("timed out, still running", after(running(), timeOut(1)));
    all.put("timed out, no start left", after(runningLast(), timeOut(3)));
    all.put("timed out before it started", after(claimed(), timeOut(1)));
    all.put("cancelling before it started", after(claimed(), cancel()));
    all.put("cancelling", cancelling());
    all.put("cancelling, timed out before", after(running(), timeOut(1), cancel()));
    all.put("cancelling, with a child", after(parent(), cancel()));
    all.put("cancelling, only the child is left", after(queuedParent(), cancel()));
    all.put("succeeded", succeeded());
    all.put("failed", failed());
    all.put("cancelled", cancelled());
    all.put("cancelled, abandoned", abandoned());
    return all;
  }

  /// All commands by their names in the transition table, addressed to the job's last attempt.
  static Map<String, JobCommand> commands(JobState job) {
    int attempt = Math.max(1, job.attempt());
    var all = new LinkedHashMap<String, JobCommand>();
    all.put("Release", new JobCommand.Release());
    all.put("Claim", claim());
    all.put("Started", started(attempt));
    all.put("Report: returned", report(attempt, new AttemptReport.Returned(RESULT)));
    all.put("Report: threw", report(attempt, new AttemptReport.Threw(ERROR)));
    all.put("Report: threw, for good", report(attempt, new AttemptReport.Threw(ERROR, true)));
    all.put("Report: later", report(attempt, new AttemptReport.Later(Duration.ofMinutes(10))));
    all.put("Report: never started", report(attempt, new AttemptReport.NeverStarted()));
    for (var cause : Cause.values()) {
      var label = cause.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
      all.put("Report: stopped, " + label, report(attempt, new AttemptReport.Stopped(cause)));
    }
    all.put("Report: abandoned", report(attempt, new AttemptReport.Abandoned(Cause.SHUTDOWN)));
    all.put(
        "Report of the attempt before", report(attempt - 1, new AttemptReport.Returned(RESULT)));
    all.put("Report of an attempt that never was", report(99, new AttemptReport.Returned(RESULT)));
    all.put("TimeOut: timeout", timeOut(attempt));
    all.put("TimeOut: heartbeat", new JobCommand.TimeOut(attempt, JobPhase.StopCause.HEARTBEAT));
    all.put("LoseWorker", new JobCommand.LoseWorker(attempt));
    all.put("Cancel", cancel());
    all.put("SettleChildren", new JobCommand.SettleChildren(List.of()));
    all.put("Retry", new JobCommand.Retry("operator"));
    all.put("Checkpoint", new JobCommand.Checkpoint(attempt, Json.of("1")));
    all.put("Note", new JobCommand.Note(attempt, new AttemptNotes(List.of("half way"), null)));
    all.put("AddChild", new JobCommand.AddChild(attempt, new ChildJob(id(9), "right", "3d4e5f")));
    all.put("AddChild: the same again", new JobCommand.AddChild(attempt, CHILD));
    all.put(
        "AddChild: the same key, other content",
        new JobCommand.AddChild(attempt, new ChildJob(id(9), CHILD.key(), "ffffff")));
    all.put("GiveUp", new JobCommand.GiveUp(ERROR));
    return all;
  }

  static JobCommand.Claim claim() {
    return new JobCommand.Claim(WORKER);
  }

  static JobCommand.Started started(int attempt) {
    return new JobCommand.Started(attempt);
  }

  static JobCommand.Report report(int attempt, AttemptReport report) {
    return new JobCommand.Report(attempt, report, AttemptNotes.NONE);
  }

  static JobCommand.TimeOut timeOut(int attempt) {
    return new JobCommand.TimeOut(attempt, JobPhase.StopCause.TIMEOUT);
  }

  static JobCommand.Cancel cancel() {
    return new JobCommand.Cancel("not needed", "operator");
  }

  /// Message with a command, as a caller or a worker sends it.
  public static Job.Command message(JobCommand command, ActorRef<WireMessage> replyTo) {
    return switch (command) {
      case JobCommand.OfJob ofJob -> new Job.Do(ofJob, replyTo.narrow());
      case JobCommand.OfAttempt report -> new Job.UpdateAttempt(report, replyTo.narrow());
      case JobCommand.Internal own -> throw new IllegalArgumentException("no message: " + own);
    };
  }

  /// State after commands that all produce facts.
  static JobState after(JobState state, JobCommand... commands) {
    var after = state;
    for (var command : commands) {
      var decision = decide(after, command);
      if (decision.facts().isEmpty()) {
        throw new IllegalStateException(command + " leads to nothing in " + after);
      }
      after = after(after, decision);
    }
    return after;
  }

  static JobState after(JobState state, JobDecision decision) {
    var after = state;
    for (var fact : decision.facts()) {
      after = after.apply(fact);
    }
    return after;
  }

  static JobDecision decide(JobState state, JobCommand command) {
    return state.decide(command, later(state), chance());
  }

  /// Time at which a job is due, unless it is scheduled far ahead.
  static Instant later(JobState state) {
    return state.phase() instanceof JobPhase.Pending(var due) && due.isBefore(NOW.plusSeconds(60))
        ? due
        : NOW;
  }

  /// Randomness in the middle of its range: no jitter.
  public static RandomGenerator chance() {
    return new RandomGenerator() {
      @Override
      public long nextLong() {
        return 1L << 63;
      }

      @Override
      public double nextDouble() {
        return 0.5;
      }
    };
  }
}
