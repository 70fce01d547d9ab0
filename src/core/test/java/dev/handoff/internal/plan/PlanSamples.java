package dev.handoff.internal.plan;

import dev.handoff.Backoff;
import dev.handoff.JobError;
import dev.handoff.Json;
import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.AttemptReport;
import dev.handoff.internal.job.ClaimingWorker;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.StepContribution;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.internal.text.Ulid;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.Resolution;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Sample plans.
final class PlanSamples {

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final FactCodec CODEC = FactFolding.codec();

  static final ClaimingWorker WORKER = new ClaimingWorker(new PoolId("pool-1"), "worker-1");
  static final JobError ERROR = JobError.of("java.io.IOException", "no route to host");

  private static final Ulid IDS = new Ulid(new Random(7));

  private PlanSamples() {}

  static String newId() {
    return IDS.next(NOW.toEpochMilli(), 0);
  }

  /// Commands that lead a waiting job to its success.
  static List<JobCommand> untilSucceeded() {
    return until(
        new AttemptReport.Returned(Json.of("1"), new StepContribution("b".repeat(64), 2, 1)));
  }

  static List<JobCommand> untilFailed() {
    return until(new AttemptReport.Threw(ERROR));
  }

  private static List<JobCommand> until(AttemptReport report) {
    return List.of(
        new JobCommand.Release(),
        new JobCommand.Claim(WORKER),
        new JobCommand.Started(1),
        new JobCommand.Report(1, report, AttemptNotes.NONE));
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
    return ChainHash.of(content.getBytes(StandardCharsets.UTF_8));
  }

  static FileEdit change(String path) {
    return new FileEdit(path, null, new ContentRef(sha(path), path.length()));
  }

  /// Random plan, up to three levels deep.
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

  static final Instant LATER = NOW.plusSeconds(60);
  static final String TARGET = "/srv/site";
  static final String BODY = "b".repeat(64);
  static final PlanId ID = new PlanId(new Ulid(new Random(1)).next(NOW.toEpochMilli(), 3));

  private static PlanDraft two() {
    return withDeadline(draft(step("a"), step("b", "a")), Duration.ofMinutes(1));
  }

  /// Plan that has just been accepted.
  static PlanState state(PlanDraft draft) {
    return PlanState.create(ID, PlanBirth.of(ID, draft, NOW, new Random(2)).own());
  }

  /// Child plan that has not been released.
  static PlanState held(PlanDraft draft) {
    var own = state(draft).spec();
    var parent = new PlanId(new Ulid(new Random(3)).next(NOW.toEpochMilli(), 3));
    var spec =
        new PlanSpec(
            own.name(),
            own.maxParallel(),
            own.failFast(),
            own.deadline(),
            own.steps(),
            new PlanSpec.Origin(parent, "child", parent, "child"));
    return PlanState.create(ID, new PlanFact.Submitted(spec, NOW, true));
  }

  static PlanState moved(PlanState plan, PlanInfo.StepStatus... to) {
    var after = plan;
    for (int i = 0; i < to.length; i++) {
      var reason = to[i] == PlanInfo.StepStatus.FAILED ? "no route to host" : null;
      after = after.stepMoved(plan.spec().steps().get(i).name(), to[i], reason);
    }
    return after;
  }

  /// State after commands that all produce facts.
  static PlanState after(PlanState plan, PlanCommand... commands) {
    var after = plan;
    for (var command : commands) {
      var decision =
          after.decide(command, command instanceof PlanCommand.DeadlinePassed ? LATER : NOW);
      if (decision.facts().isEmpty()) {
        throw new IllegalStateException(command + " leads to nothing in " + after);
      }
      after = after(after, decision);
    }
    return after;
  }

  static PlanState after(PlanState plan, PlanDecision decision) {
    var after = plan;
    for (var fact : decision.facts()) {
      after = after.apply(fact);
    }
    return after;
  }

  static PlanCommand cancel() {
    return new PlanCommand.Cancel("not needed", "operator");
  }

  static PlanCommand start() {
    return new PlanCommand.StartChangeset("mine", "ann");
  }

  static PlanCommand record(String set) {
    return new PlanCommand.Record(set, List.of(change("a.txt")));
  }

  static PlanCommand commit() {
    return new PlanCommand.Commit("c1", BODY, 1);
  }

  static PlanState withChangeset(PlanState plan) {
    return after(plan, start(), record("c1"));
  }

  /// All situations by their names in the transition table.
  static Map<String, PlanState> situations() {
    var all = new LinkedHashMap<String, PlanState>();
    var settle = new PlanCommand.Settle();
    var apply = new PlanCommand.Apply(TARGET);
    var running = state(two());
    var open = withChangeset(running);
    var committed = after(open, commit());
    var failed =
        after(moved(running, PlanInfo.StepStatus.FAILED, PlanInfo.StepStatus.CANCELLED), settle);
    var succeeded =
        after(moved(running, PlanInfo.StepStatus.SUCCEEDED, PlanInfo.StepStatus.SUCCEEDED), settle);
    var won =
        after(
            moved(committed, PlanInfo.StepStatus.SUCCEEDED, PlanInfo.StepStatus.SUCCEEDED), settle);
    var full = running;
    for (int i = 0; i < ChangeLedger.MOST_OPEN_SETS; i++) {
      full = after(full, start());
    }
    all.put("running", running);
    all.put("running, a changeset open", open);
    all.put("running, a changeset committed", committed);
    all.put("running, a changeset discarded", after(open, new PlanCommand.Discard("c1")));
    all.put("running, as many changesets open as may be", full);
    all.put("running, being applied", after(committed, apply));
    all.put("a step has failed", moved(running, PlanInfo.StepStatus.FAILED));
    all.put(
        "a step has failed, fails fast",
        moved(
            withChangeset(state(draft(1, true, step("a"), step("b")))),
            PlanInfo.StepStatus.FAILED));
    all.put(
        "all steps have ended",
        moved(running, PlanInfo.StepStatus.SUCCEEDED, PlanInfo.StepStatus.SUCCEEDED));
    all.put(
        "all steps have ended, a changeset open",
        moved(open, PlanInfo.StepStatus.SUCCEEDED, PlanInfo.StepStatus.SUCCEEDED));
    all.put("cancelling", after(open, cancel()));
    all.put(
        "cancelling, all steps have ended",
        moved(after(open, cancel()), PlanInfo.StepStatus.CANCELLED, PlanInfo.StepStatus.CANCELLED));
    all.put("opened again", after(failed, new PlanCommand.Retry("ann")));
    all.put("opened again, cancelling", after(failed, new PlanCommand.Retry("ann"), cancel()));
    all.put("stopped by its deadline", after(running, new PlanCommand.DeadlinePassed(NOW)));
    all.put("given up", after(running, new PlanCommand.GiveUp("its actor failed")));
    all.put("succeeded", succeeded);
    all.put("succeeded, a changeset committed", won);
    all.put("succeeded, being applied", after(won, apply));
    all.put("succeeded, applied", after(won, apply, new PlanCommand.ApplyWritten(1, 1)));
    all.put("failed", failed);
    all.put(
        "cancelled",
        after(
            moved(
                after(running, cancel()),
                PlanInfo.StepStatus.CANCELLED,
                PlanInfo.StepStatus.CANCELLED),
            settle));
    all.put("a child that waits", held(two()));
    var child = after(held(two()), new PlanCommand.Release());
    all.put("a child that runs", child);
    all.put(
        "a child that has failed",
        after(moved(child, PlanInfo.StepStatus.FAILED, PlanInfo.StepStatus.CANCELLED), settle));
    return all;
  }

  /// All commands by their names in the transition table.
  static Map<String, PlanCommand> commands() {
    var all = new LinkedHashMap<String, PlanCommand>();
    all.put("Release", new PlanCommand.Release());
    all.put("Cancel", cancel());
    all.put("Retry", new PlanCommand.Retry("ann"));
    all.put("Retry, with its parent", new PlanCommand.Retry("plan", true));
    all.put("StartChangeset", start());
    all.put("Record: in `c1`", record("c1"));
    all.put("Record: in the one opened last", record(null));
    all.put("Record: in one that never was", record("c9999"));
    all.put("Close `c1`", new PlanCommand.Close("c1"));
    all.put("Commit `c1`: its body is stored", commit());
    all.put("Commit `c1`: it has grown since", new PlanCommand.Commit("c1", BODY, 0));
    all.put("Discard `c1`", new PlanCommand.Discard("c1"));
    all.put("Resolve", new PlanCommand.Resolve(resolution("a.txt")));
    all.put("Apply", new PlanCommand.Apply(TARGET));
    all.put("Settle", new PlanCommand.Settle());
    all.put("DeadlinePassed", new PlanCommand.DeadlinePassed(NOW));
    all.put("LoseStep `b`", new PlanCommand.LoseStep("b"));
    all.put("DropStep `b`", new PlanCommand.DropStep("b"));
    all.put("GiveUp", new PlanCommand.GiveUp("its actor failed"));
    all.put("ApplyWritten", new PlanCommand.ApplyWritten(1, 1));
    all.put("ApplyUndone", new PlanCommand.ApplyUndone(1, "no room"));
    return all;
  }

  static Resolution resolution(String path) {
    return new Resolution(path, null, sha("1"), sha("2"), Resolution.Choice.OURS, null, "ann", NOW);
  }
}
