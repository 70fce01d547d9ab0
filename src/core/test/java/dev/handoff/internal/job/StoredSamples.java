package dev.handoff.internal.job;

import dev.handoff.Backoff;
import dev.handoff.JobError;
import dev.handoff.Json;
import dev.handoff.RetryRule;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.testing.GoldenFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Facts and states of every kind, minimal and complete, and the golden files with their stored
/// forms.
///
/// ```
/// ./sbt "core/Test/runMain dev.handoff.internal.job.StoredSamples"
/// ```
///
/// writes the missing golden files. Existing ones are never overwritten.
final class StoredSamples {

  static final GoldenFiles GOLDEN = new GoldenFiles("v1", StoredSamples.class);

  private StoredSamples() {}

  public static void main(String[] args) throws IOException {
    for (var fact : facts().entrySet()) {
      GOLDEN.keep(
          "fact-" + fact.getKey(), codec().encode(JobSituations.ID, fact.getValue()).encoded());
    }
    for (var state : states().entrySet()) {
      GOLDEN.keep("state-" + state.getKey(), codec().encodeState(state.getValue()));
    }
  }

  static FactCodec codec() {
    return new FactCodec(List.of(JobFact.class, JobState.class));
  }

  static Map<String, JobFact> facts() {
    var now = JobSituations.NOW;
    var all = new LinkedHashMap<String, JobFact>();
    all.put("submitted", new JobFact.Submitted(JobSituations.spec(), now, false));
    all.put("submitted-full", new JobFact.Submitted(fullSpec(), now, true));
    all.put("submitted-with-a-retry-rule", new JobFact.Submitted(ruled(), now, false));
    all.put("released", new JobFact.Released(now));
    all.put("claimed", new JobFact.Claimed(1, JobSituations.WORKER, now));
    all.put("started", new JobFact.Started(1, now));
    all.put("returned", new JobFact.Returned(2, EndCause.NEVER_STARTED, AttemptNotes.NONE, now));
    all.put("returned-full", new JobFact.Returned(2, EndCause.SHUTDOWN, notes(), now));
    all.put("postponed", new JobFact.Postponed(2, now.plusSeconds(600), AttemptNotes.NONE, now));
    all.put("postponed-full", new JobFact.Postponed(2, now.plusSeconds(600), notes(), now));
    all.put("succeeded", new JobFact.Succeeded(1, JobSituations.RESULT, AttemptNotes.NONE, now));
    all.put("succeeded-full", new JobFact.Succeeded(1, JobSituations.RESULT, notes(), now));
    all.put(
        "succeeded-with-changes",
        new JobFact.Succeeded(
            1,
            JobSituations.RESULT,
            AttemptNotes.NONE,
            now,
            new StepContribution("a".repeat(64), 3, 1)));
    all.put("retry-scheduled", new JobFact.RetryScheduled(end(), now.plusSeconds(8)));
    all.put("failed", new JobFact.Failed(end()));
    all.put("failed-full", new JobFact.Failed(fullEnd()));
    all.put("stop-requested", new JobFact.StopRequested(1, JobPhase.StopCause.TIMEOUT, now));
    all.put("cancel-requested", new JobFact.CancelRequested(request()));
    all.put("attempt-stopped", new JobFact.AttemptStopped(fullEnd()));
    all.put(
        "cancelled",
        new JobFact.Cancelled(request(), false, false, List.of(), AttemptNotes.NONE, now));
    all.put(
        "cancelled-full",
        new JobFact.Cancelled(request(), true, true, List.of(JobSituations.id(8)), notes(), now));
    all.put("reopened", new JobFact.Reopened(JobSituations.failed(), "ann", now));
    all.put("checkpointed", new JobFact.Checkpointed(1, Json.of("[1,2]")));
    all.put("noted", new JobFact.Noted(1, notes()));
    all.put("child-added", new JobFact.ChildAdded(JobSituations.CHILD));
    all.put(
        "child-added-without-key",
        new JobFact.ChildAdded(new ChildJob(JobSituations.id(9), null, "0")));
    all.put("late-report", new JobFact.LateReport(1, "returned a result", now));
    return all;
  }

  static Map<String, EntityState> states() {
    var all = new LinkedHashMap<String, EntityState>();
    JobSituations.situations()
        .forEach(
            (name, job) ->
                all.put(name.replaceAll("[^A-Za-z0-9]+", " ").strip().replace(' ', '-'), job));
    all.put("full", full());
    all.put("postponed", postponed());
    return all;
  }

  /// Job that its handler has postponed.
  static JobState postponed() {
    var later = JobSituations.report(1, new AttemptReport.Later(Duration.ofMinutes(10)));
    return JobSituations.after(JobSituations.running(), later);
  }

  /// Job with every possible component.
  static JobState full() {
    var job =
        JobState.create(
            JobSituations.ID, new JobFact.Submitted(fullSpec(), JobSituations.NOW, false));
    job = job.apply(new JobFact.Claimed(1, JobSituations.WORKER, JobSituations.NOW));
    job = job.apply(new JobFact.Noted(1, notes()));
    job = job.apply(new JobFact.Checkpointed(1, Json.of("[1,2]")));
    job = job.apply(new JobFact.ChildAdded(JobSituations.CHILD));
    job = job.apply(new JobFact.RetryScheduled(fullEnd(), JobSituations.NOW));
    job = job.apply(new JobFact.LateReport(1, "returned a result", JobSituations.NOW));
    job = job.apply(new JobFact.Claimed(2, JobSituations.WORKER, JobSituations.NOW));
    job = job.apply(new JobFact.Failed(end()));
    job = job.apply(new JobFact.Reopened(job, "ann", JobSituations.NOW));
    job = job.apply(new JobFact.Claimed(3, JobSituations.WORKER, JobSituations.NOW));
    job = job.apply(new JobFact.CancelRequested(request()));
    return job.apply(
        new JobFact.Cancelled(
            request(), true, true, List.of(JobSituations.id(8)), notes(), JobSituations.NOW));
  }

  private static JobSpec fullSpec() {
    var options =
        new JobOptions(
            Duration.ofMinutes(2),
            Duration.ofSeconds(10),
            7,
            Backoff.exponential(Duration.ofSeconds(2), 1.5, Duration.ofMinutes(1), 0.1),
            Map.of("team", "blue"));
    return new JobSpec(
        "thumbnail",
        Json.of("{\"file\":\"a.png\"}"),
        "images",
        -5,
        "a.png",
        JobSituations.NOW.plusSeconds(60),
        options,
        new JobOrigin(JobSituations.id(5), JobSituations.id(6).value(), "resize"));
  }

  private static JobSpec ruled() {
    var rule = new RetryRule(List.of("java.io.IOException"), List.of("x.Refused$Card"));
    var options = new JobOptions(null, null, 5, Backoff.DEFAULT, Map.of(), rule);
    return new JobSpec("thumbnail", Json.NULL, "images", 0, null, null, options, null);
  }

  private static AttemptNotes notes() {
    return new AttemptNotes(List.of("reading", "writing"), new Progress(0.5, "half"));
  }

  private static JobPhase.CancelRequest request() {
    return new JobPhase.CancelRequest("not needed", "operator", JobSituations.NOW);
  }

  private static JobFact.AttemptEnd end() {
    return new JobFact.AttemptEnd(
        1,
        EndCause.FAILED,
        JobSituations.ERROR,
        false,
        false,
        AttemptNotes.NONE,
        JobSituations.NOW);
  }

  private static JobFact.AttemptEnd fullEnd() {
    var error = new JobError("java.io.IOException", "no route", "java.io.IOException\n\tat x.Y.z");
    return new JobFact.AttemptEnd(
        1, EndCause.TIMED_OUT, error, true, true, notes(), JobSituations.NOW);
  }
}
