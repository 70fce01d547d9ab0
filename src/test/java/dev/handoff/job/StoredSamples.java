package dev.handoff.job;

import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.FactCodec;
import dev.handoff.testing.Golden;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Facts and states as they are stored, of every kind, with little and with everything in them; and
/// the golden files that keep how each of them has once been written.
///
/// ```
/// ./sbt "Test/runMain dev.handoff.job.StoredSamples"
/// ```
///
/// writes the golden files that are missing. One that is there is never written again.
final class StoredSamples {

  static final Golden GOLDEN = new Golden("v1", StoredSamples.class);

  private StoredSamples() {}

  public static void main(String[] args) throws IOException {
    for (var fact : facts().entrySet()) {
      GOLDEN.keep("fact-" + fact.getKey(), codec().encode(Samples.ID, fact.getValue()).encoded());
    }
    for (var state : states().entrySet()) {
      GOLDEN.keep("state-" + state.getKey(), codec().encodeState(state.getValue()));
    }
  }

  static FactCodec codec() {
    return new FactCodec(List.of(JobFact.class, JobState.class));
  }

  static Map<String, JobFact> facts() {
    var now = Samples.NOW;
    var all = new LinkedHashMap<String, JobFact>();
    all.put("submitted", new JobFact.Submitted(Samples.spec(), now, false));
    all.put("submitted-full", new JobFact.Submitted(fullSpec(), now, true));
    all.put("submitted-with-a-retry-rule", new JobFact.Submitted(ruled(), now, false));
    all.put("released", new JobFact.Released(now));
    all.put("claimed", new JobFact.Claimed(1, Samples.WORKER, now));
    all.put("started", new JobFact.Started(1, now));
    all.put("returned", new JobFact.Returned(2, EndCause.NEVER_STARTED, Notes.NONE, now));
    all.put("returned-full", new JobFact.Returned(2, EndCause.SHUTDOWN, notes(), now));
    all.put("postponed", new JobFact.Postponed(2, now.plusSeconds(600), Notes.NONE, now));
    all.put("postponed-full", new JobFact.Postponed(2, now.plusSeconds(600), notes(), now));
    all.put("succeeded", new JobFact.Succeeded(1, Samples.RESULT, Notes.NONE, now));
    all.put("succeeded-full", new JobFact.Succeeded(1, Samples.RESULT, notes(), now));
    all.put(
        "succeeded-with-changes",
        new JobFact.Succeeded(
            1, Samples.RESULT, Notes.NONE, now, new Contribution("a".repeat(64), 3, 1)));
    all.put("retry-scheduled", new JobFact.RetryScheduled(end(), now.plusSeconds(8)));
    all.put("failed", new JobFact.Failed(end()));
    all.put("failed-full", new JobFact.Failed(fullEnd()));
    all.put("stop-requested", new JobFact.StopRequested(1, Phase.StopCause.TIMEOUT, now));
    all.put("cancel-requested", new JobFact.CancelRequested(request()));
    all.put("attempt-stopped", new JobFact.AttemptStopped(fullEnd()));
    all.put(
        "cancelled", new JobFact.Cancelled(request(), false, false, List.of(), Notes.NONE, now));
    all.put(
        "cancelled-full",
        new JobFact.Cancelled(request(), true, true, List.of(Samples.id(8)), notes(), now));
    all.put("reopened", new JobFact.Reopened(Samples.failed(), "ann", now));
    all.put("checkpointed", new JobFact.Checkpointed(1, Json.of("[1,2]")));
    all.put("noted", new JobFact.Noted(1, notes()));
    all.put("child-added", new JobFact.ChildAdded(Samples.CHILD));
    all.put("child-added-without-key", new JobFact.ChildAdded(new Child(Samples.id(9), null, "0")));
    all.put("late-report", new JobFact.LateReport(1, "returned a result", now));
    return all;
  }

  static Map<String, EntityState> states() {
    var all = new LinkedHashMap<String, EntityState>();
    Samples.situations()
        .forEach(
            (name, job) ->
                all.put(name.replaceAll("[^A-Za-z0-9]+", " ").strip().replace(' ', '-'), job));
    all.put("full", full());
    all.put("postponed", postponed());
    return all;
  }

  /// A job that its handler has put back.
  static JobState postponed() {
    var later = Samples.report(1, new AttemptReport.Later(Duration.ofMinutes(10)));
    return Samples.after(Samples.running(), later);
  }

  /// A job with everything that a job can have.
  static JobState full() {
    var job = JobState.create(Samples.ID, new JobFact.Submitted(fullSpec(), Samples.NOW, false));
    job = job.apply(new JobFact.Claimed(1, Samples.WORKER, Samples.NOW));
    job = job.apply(new JobFact.Noted(1, notes()));
    job = job.apply(new JobFact.Checkpointed(1, Json.of("[1,2]")));
    job = job.apply(new JobFact.ChildAdded(Samples.CHILD));
    job = job.apply(new JobFact.RetryScheduled(fullEnd(), Samples.NOW));
    job = job.apply(new JobFact.LateReport(1, "returned a result", Samples.NOW));
    job = job.apply(new JobFact.Claimed(2, Samples.WORKER, Samples.NOW));
    job = job.apply(new JobFact.Failed(end()));
    job = job.apply(new JobFact.Reopened(job, "ann", Samples.NOW));
    job = job.apply(new JobFact.Claimed(3, Samples.WORKER, Samples.NOW));
    job = job.apply(new JobFact.CancelRequested(request()));
    return job.apply(
        new JobFact.Cancelled(request(), true, true, List.of(Samples.id(8)), notes(), Samples.NOW));
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
        Samples.NOW.plusSeconds(60),
        options,
        new Origin(Samples.id(5), Samples.id(6).value(), "resize"));
  }

  private static JobSpec ruled() {
    var rule = new RetryRule(List.of("java.io.IOException"), List.of("x.Refused$Card"));
    var options = new JobOptions(null, null, 5, Backoff.DEFAULT, Map.of(), rule);
    return new JobSpec("thumbnail", Json.NULL, "images", 0, null, null, options, null);
  }

  private static Notes notes() {
    return new Notes(List.of("reading", "writing"), new Progress(0.5, "half"));
  }

  private static Phase.CancelRequest request() {
    return new Phase.CancelRequest("not needed", "operator", Samples.NOW);
  }

  private static JobFact.AttemptEnd end() {
    return new JobFact.AttemptEnd(
        1, EndCause.FAILED, Samples.ERROR, false, false, Notes.NONE, Samples.NOW);
  }

  private static JobFact.AttemptEnd fullEnd() {
    var error = new JobError("java.io.IOException", "no route", "java.io.IOException\n\tat x.Y.z");
    return new JobFact.AttemptEnd(1, EndCause.TIMED_OUT, error, true, true, notes(), Samples.NOW);
  }
}
