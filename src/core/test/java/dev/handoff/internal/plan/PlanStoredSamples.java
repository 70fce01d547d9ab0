package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.BODY;
import static dev.handoff.internal.plan.PlanSamples.CODEC;
import static dev.handoff.internal.plan.PlanSamples.ID;
import static dev.handoff.internal.plan.PlanSamples.NOW;
import static dev.handoff.internal.plan.PlanSamples.TARGET;
import static dev.handoff.internal.plan.PlanSamples.after;
import static dev.handoff.internal.plan.PlanSamples.child;
import static dev.handoff.internal.plan.PlanSamples.draft;
import static dev.handoff.internal.plan.PlanSamples.held;
import static dev.handoff.internal.plan.PlanSamples.sha;
import static dev.handoff.internal.plan.PlanSamples.state;
import static dev.handoff.internal.plan.PlanSamples.step;
import static dev.handoff.internal.plan.PlanSamples.withDeadline;

import dev.handoff.JobId;
import dev.handoff.internal.plan.change.AttemptDecision;
import dev.handoff.internal.plan.change.BodyCodec;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.ChangeEntry;
import dev.handoff.internal.plan.change.ChangesetAuthor;
import dev.handoff.internal.plan.change.SetBody;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.Resolution;
import dev.handoff.testing.GoldenFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Facts, states and bodies of plans of every kind, minimal and complete, and the golden files with
/// their stored forms.
///
/// ```
/// ./sbt "core/Test/runMain dev.handoff.internal.plan.PlanStoredSamples"
/// ```
///
/// writes the missing golden files. Existing ones are never overwritten.
final class PlanStoredSamples {

  static final GoldenFiles GOLDEN = new GoldenFiles("plans-v1", PlanStoredSamples.class);

  private static final JobId JOB = new JobId("01KJMMA2G0DM4VYCJCCVH76R03");

  private PlanStoredSamples() {}

  public static void main(String[] args) throws IOException {
    for (var sample : all().entrySet()) {
      GOLDEN.keep(sample.getKey(), sample.getValue());
    }
  }

  /// Stored forms of all samples, as written by this version.
  static Map<String, byte[]> all() {
    var all = new LinkedHashMap<String, byte[]>();
    facts().forEach((name, fact) -> all.put("fact-" + name, CODEC.encode(ID, fact).encoded()));
    states().forEach((name, state) -> all.put("state-" + name, CODEC.encodeState(state)));
    all.put("body", BodyCodec.encode(body()));
    all.put("body-of-decisions", BodyCodec.encode(new SetBody(List.of(), body().decisions())));
    return all;
  }

  static Map<String, PlanFact> facts() {
    var small = state(draft(step("a")));
    var all = new LinkedHashMap<String, PlanFact>();
    all.put("plan-submitted", new PlanFact.Submitted(small.spec(), NOW, false));
    all.put("plan-submitted-full", new PlanFact.Submitted(large().spec(), NOW, false));
    all.put("plan-submitted-child", new PlanFact.Submitted(held(inner()).spec(), NOW, true));
    all.put("plan-released", new PlanFact.Released(NOW));
    all.put("plan-stop-requested", new PlanFact.StopRequested(stopping()));
    all.put("plan-step-lost", new PlanFact.StepLost("a", NOW));
    all.put("plan-step-dropped", new PlanFact.StepDropped("a", "not needed", NOW));
    all.put("plan-ended-succeeded", new PlanFact.Ended(new PlanPhase.Succeeded(NOW)));
    all.put("plan-ended-failed", new PlanFact.Ended(new PlanPhase.Failed("no route", NOW)));
    all.put(
        "plan-ended-cancelled",
        new PlanFact.Ended(new PlanPhase.Cancelled("not needed", "ann", NOW)));
    all.put("plan-reopened", new PlanFact.Reopened(full(), "ann", NOW));
    all.put("plan-recalled", new PlanFact.Recalled(full()));
    all.put("plan-filed", new PlanFact.Filed());
    all.put("changeset-started", new PlanFact.ChangesetStarted("c1", "mine", "ann", NOW));
    all.put("changes-recorded", new PlanFact.ChangesRecorded("c1", body().entries()));
    all.put("changeset-closed", new PlanFact.ChangesetClosed("c1", BODY, NOW));
    all.put("changeset-discarded", new PlanFact.ChangesetDiscarded("c1", NOW));
    all.put("conflict-resolved", new PlanFact.Resolved(PlanSamples.resolution("a.txt")));
    all.put("conflict-resolved-with-content", new PlanFact.Resolved(resolution()));
    all.put("apply-started", new PlanFact.ApplyStarted(new StartedApply(1, TARGET, 2, BODY, NOW)));
    all.put(
        "apply-written", new PlanFact.ApplyWritten(new WrittenApply(1, TARGET, 2, BODY, 3, NOW)));
    all.put("apply-undone", new PlanFact.ApplyUndone(1, "no room", NOW));
    return all;
  }

  static Map<String, PlanState> states() {
    var all = new LinkedHashMap<String, PlanState>();
    PlanSamples.situations()
        .forEach(
            (name, plan) -> {
              if (plan.book().open().size() < ChangeLedger.MOST_OPEN_SETS) {
                all.put(name.replaceAll("[^A-Za-z0-9]+", "-"), plan);
              }
            });
    all.put("stopped-by-its-deadline", stoppedInOldWords());
    all.put("full", full());
    all.put("recalled", full().apply(new PlanFact.Recalled(full())));
    return all;
  }

  /// Reasons are stored as text; this wording is from an earlier version.
  private static PlanState stoppedInOldWords() {
    var stopping =
        new PlanPhase.Stopping(
            PlanPhase.StopCause.DEADLINE,
            "its deadline of PT1M has passed",
            "handoff",
            PlanSamples.LATER);
    return PlanSamples.situations().get("running").apply(new PlanFact.StopRequested(stopping));
  }

  private static PlanState large() {
    return state(withDeadline(draft(step("a"), child("b", inner(), "a")), Duration.ofDays(3)));
  }

  private static PlanDraft inner() {
    return withDeadline(draft(2, true, step("x"), step("y", "x")), Duration.ofMillis(90_500));
  }

  private static PlanPhase.Stopping stopping() {
    return new PlanPhase.Stopping(PlanPhase.StopCause.DEADLINE, "too late", "handoff", NOW);
  }

  private static Resolution resolution() {
    var content = new ContentRef(sha("4"), 1);
    return new Resolution(
        "d/b.txt", sha("1"), null, sha("3"), Resolution.Choice.CONTENT, content, "ann", NOW);
  }

  static SetBody body() {
    var one = new ContentRef(sha("1"), 1);
    var large = new ContentRef(sha("2"), 10_485_760);
    var first = ChangeEntry.after(ChainHash.first("c1"), "a.txt", null, one, NOW);
    var second = ChangeEntry.after(first.seal(), "d/b.txt", one, large, NOW.plusMillis(1));
    var third = ChangeEntry.after(second.seal(), "\u6587.txt", large, null, NOW.plusSeconds(1));
    return new SetBody(
        List.of(first, second, third),
        List.of(new AttemptDecision("plain HTML", NOW.plusMillis(7))));
  }

  /// Ended plan with every possible component.
  private static PlanState full() {
    var plan = after(large(), PlanSamples.start(), PlanSamples.record("c1"), PlanSamples.commit());
    var by = ChangesetAuthor.attempt(JOB, 2, "b/x");
    plan =
        plan.committed(JOB + ":2", by, NOW, 3, 1, BODY)
            .stepMoved("a", PlanInfo.StepStatus.SUCCEEDED, null)
            .stepMoved("b", PlanInfo.StepStatus.FAILED, "no route to host")
            .apply(new PlanFact.Resolved(PlanSamples.resolution("a.txt")))
            .apply(new PlanFact.Resolved(resolution()));
    return after(
        plan,
        new PlanCommand.Apply(TARGET),
        new PlanCommand.ApplyWritten(1, 3),
        new PlanCommand.Settle());
  }
}
