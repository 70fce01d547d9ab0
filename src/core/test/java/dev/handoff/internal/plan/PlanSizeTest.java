package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.NOW;
import static dev.handoff.internal.plan.PlanSamples.TARGET;
import static dev.handoff.internal.plan.PlanSamples.change;
import static dev.handoff.internal.plan.PlanSamples.draft;
import static dev.handoff.internal.plan.PlanSamples.sha;
import static dev.handoff.internal.plan.PlanSamples.state;
import static dev.handoff.internal.plan.PlanSamples.step;
import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.handoff.JobId;
import dev.handoff.internal.ledger.LedgerSettings;
import dev.handoff.internal.plan.change.BodyCodec;
import dev.handoff.internal.plan.change.ChangesetAuthor;
import dev.handoff.internal.store.PackedBlob;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.Resolution;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A plan with as much in it as may be")
class PlanSizeTest {

  private static final LedgerSettings LEDGER =
      LedgerSettings.from(ConfigFactory.defaultReference().getConfig("handoff.ledger"));

  /// Text of three-byte characters, longer than the limits of reasons, labels and names.
  private static final String LONG = "\u6587".repeat(5_000);

  private static String name(int step) {
    return "s%05d-%s".formatted(step, "x".repeat(25));
  }

  private static PlanDraft largest() {
    var steps = new ArrayList<PlanDraft.Step>();
    for (int number = 0; number < PlanRules.MOST_STEPS; number++) {
      steps.add(step(name(number)));
    }
    return new PlanDraft("site", 5, false, null, steps);
  }

  /// Repeats commands until the plan is full.
  private static PlanState filled(PlanState plan, IntFunction<PlanCommand> commands) {
    var full = plan;
    for (int number = 1; ; number++) {
      var decision = full.decide(commands.apply(number), NOW);
      if (decision.answer() instanceof PlanAnswer.Full) {
        return full;
      }
      full = PlanSamples.after(full, decision);
    }
  }

  /// Plan with the maximum number of callers' changesets.
  private static PlanState closed(PlanState plan, String label) {
    var full = plan;
    while (true) {
      var decision = full.decide(new PlanCommand.StartChangeset(label, label), NOW);
      if (!(decision.answer() instanceof PlanAnswer.Started(var set))) {
        return full;
      }
      full = PlanSamples.after(full, decision);
      full = PlanSamples.after(full, new PlanCommand.Commit(set, PlanSamples.BODY, 0));
    }
  }

  /// Plan with the maximum content that callers can add.
  private static PlanState full(PlanState plan) {
    var full = closed(closed(plan, LONG), "");
    var by = LONG.substring(0, 80);
    full = filled(full, number -> new PlanCommand.Resolve(resolution("f" + number, by)));
    for (int number = 1; number <= 2 * ChangeLedger.MOST_APPLIED; number++) {
      var target = "/" + "x".repeat(4_080) + number;
      full = full.apply(new PlanFact.ApplyWritten(applied(number, target)));
    }
    return full;
  }

  private static WrittenApply applied(int number, String target) {
    return new WrittenApply(number, target, 1_000, PlanSamples.BODY, 1_000, NOW);
  }

  private static Resolution resolution(String path, String by) {
    var content = new ContentRef(sha("4"), PackedBlob.MOST_BYTES);
    return new Resolution(
        path, sha("1"), sha("2"), sha("3"), Resolution.Choice.CONTENT, content, by, NOW);
  }

  private static void expectFits(PlanState plan) {
    var row = PlanArchive.row(PlanSamples.after(plan, new PlanCommand.Settle()), PlanSamples.CODEC);

    assertThat(row.state().length).isLessThan(LEDGER.maxAppend() - 10_000);
  }

  @Test
  void canEndIfAllOfItsStepsHaveFailed() {
    var plan = full(state(largest()));
    for (int number = 0; number < PlanRules.MOST_STEPS; number++) {
      plan = plan.stepMoved(name(number), PlanInfo.StepStatus.FAILED, LONG);
    }

    assertThat(PlanRules.problems(largest())).isEmpty();
    assertThat(plan.book().started()).isEqualTo(ChangeLedger.MOST_STARTED);
    assertThat(plan.book().resolutions().size()).isEqualTo(ChangeLedger.MOST_RESOLUTIONS);
    expectFits(plan);
  }

  @Test
  void canEndIfAllOfItsStepsHaveLeftChanges() {
    var plan = full(state(largest()));
    for (int number = 0; number < PlanRules.MOST_STEPS; number++) {
      var job = new JobId(PlanSamples.newId());
      var by = ChangesetAuthor.attempt(job, 1_000, name(number));
      plan =
          plan.committed(job + ":1000", by, NOW, 20_000, 20, PlanSamples.BODY)
              .stepMoved(name(number), PlanInfo.StepStatus.SUCCEEDED, null);
    }

    expectFits(plan);
  }

  @Test
  void canEndIfAllOfItsStepsWereToRunAgainAndAreNot() {
    var plan = full(state(largest()));
    for (int number = 0; number < PlanRules.MOST_STEPS; number++) {
      plan = plan.stepMoved(name(number), PlanInfo.StepStatus.FAILED, LONG);
    }
    plan =
        PlanSamples.after(
            plan,
            new PlanCommand.Settle(),
            new PlanCommand.Retry("ann"),
            new PlanCommand.Cancel(LONG, LONG));
    for (int number = 0; number < PlanRules.MOST_STEPS; number++) {
      plan = PlanSamples.after(plan, new PlanCommand.DropStep(name(number)));
    }

    expectFits(plan);
  }

  @Test
  void hasOpenChangesetsThatCanBeClosed() {
    var path = String.join("/", Collections.nCopies(16, "\u6587".repeat(84)));
    var plan = PlanSamples.after(state(draft(step("a"))), PlanSamples.start());

    var full = filled(plan, number -> new PlanCommand.Record("c1", List.of(change(path + number))));
    var all = Collections.nCopies(ChangeLedger.MOST_OPEN_ENTRIES, change(path));
    var atOnce = plan.decide(new PlanCommand.Record("c1", all), NOW);

    assertThat(BodyCodec.encode(full.book().open("c1").orElseThrow().body()).length)
        .isLessThan(PackedBlob.MOST_BYTES / 2);
    assertThat(atOnce.answer()).isInstanceOf(PlanAnswer.Full.class);
  }

  @Test
  void takesNoMoreEntriesThanItMayHave() {
    var plan = PlanSamples.after(state(draft(step("a"))), PlanSamples.start());
    var many = Collections.nCopies(ChangeLedger.MOST_OPEN_ENTRIES + 1, change("a"));

    assertThat(plan.decide(new PlanCommand.Record("c1", many), NOW).answer())
        .isInstanceOf(PlanAnswer.Full.class);
    assertThat(plan.decide(new PlanCommand.Apply(TARGET), NOW).answer())
        .isInstanceOf(PlanAnswer.NothingToApply.class);
  }
}
