package dev.handoff.plan;

import dev.handoff.engine.Facts;
import dev.handoff.job.AttemptReport;
import dev.handoff.job.Backoff;
import dev.handoff.job.Claimant;
import dev.handoff.job.Contribution;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobError;
import dev.handoff.job.JobOptions;
import dev.handoff.job.JobSpec;
import dev.handoff.job.Json;
import dev.handoff.job.Notes;
import dev.handoff.job.PoolId;
import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.Ulid;
import dev.handoff.plan.change.ContentRef;
import dev.handoff.plan.change.Seal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Plans for tests.
final class PlanSamples {

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final FactCodec CODEC = Facts.codec();

  static final Claimant WORKER = new Claimant(new PoolId("pool-1"), "worker-1");
  static final JobError ERROR = JobError.of("java.io.IOException", "no route to host");

  private static final Ulid IDS = new Ulid(new Random(7));

  private PlanSamples() {}

  static String newId() {
    return IDS.next(NOW.toEpochMilli(), 0);
  }

  /// What leads a job that waits to its success.
  static List<JobCommand> untilSucceeded() {
    return until(new AttemptReport.Returned(Json.of("1"), new Contribution("b".repeat(64), 2, 1)));
  }

  static List<JobCommand> untilFailed() {
    return until(new AttemptReport.Threw(ERROR));
  }

  private static List<JobCommand> until(AttemptReport report) {
    return List.of(
        new JobCommand.Release(),
        new JobCommand.Claim(WORKER),
        new JobCommand.Started(1),
        new JobCommand.Report(1, report, Notes.NONE));
  }

  static JobSpec job(int maxAttempts) {
    var options = new JobOptions(null, null, maxAttempts, Backoff.none(), Map.of());
    return new JobSpec("thumbnail", Json.NULL, "images", 0, null, null, options, null);
  }

  static PlanDraft.Step step(String name, String... after) {
    return PlanDraft.Step.job(name, List.of(after), job(1));
  }

  static PlanDraft.Step child(String name, PlanDraft plan, String... after) {
    return PlanDraft.Step.plan(name, List.of(after), plan);
  }

  static PlanDraft draft(int maxParallel, boolean failFast, PlanDraft.Step... steps) {
    return new PlanDraft("site", maxParallel, failFast, null, List.of(steps));
  }

  static PlanDraft draft(PlanDraft.Step... steps) {
    return draft(5, false, steps);
  }

  static PlanDraft withDeadline(PlanDraft draft, Duration deadline) {
    return new PlanDraft(
        draft.name(), draft.maxParallel(), draft.failFast(), deadline, draft.steps());
  }

  static String sha(String content) {
    return Seal.of(content.getBytes(StandardCharsets.UTF_8));
  }

  static PlanCommand.Change change(String path) {
    return new PlanCommand.Change(path, null, new ContentRef(sha(path), path.length()));
  }

  /// A plan of any shape, up to three levels deep.
  static PlanDraft anyPlan(Random random, int level) {
    var steps = new ArrayList<PlanDraft.Step>();
    int count = 1 + random.nextInt(level == 1 ? 6 : 3);
    for (int i = 0; i < count; i++) {
      var after = new ArrayList<String>();
      for (int before = 0; before < i; before++) {
        if (random.nextInt(3) == 0) {
          after.add("s" + before);
        }
      }
      steps.add(
          level < 3 && random.nextInt(4) == 0
              ? PlanDraft.Step.plan("s" + i, after, anyPlan(random, level + 1))
              : PlanDraft.Step.job("s" + i, after, job(1 + random.nextInt(2))));
    }
    var deadline = random.nextInt(6) == 0 ? Duration.ofSeconds(1 + random.nextInt(10)) : null;
    return new PlanDraft("site", 1 + random.nextInt(3), random.nextInt(3) == 0, deadline, steps);
  }
}
