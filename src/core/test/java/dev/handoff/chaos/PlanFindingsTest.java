package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.chaos.ClientJournal.Line;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.PlanStoreSamples;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests the checks with the real evidence of a service with plans, and one forbidden change at a
/// time: each check of [PlanFindings] and [SiteFindings] must detect its own.
@DisplayName("The checks of a chaos run with plans")
class PlanFindingsTest {

  private static final String NOBODY = "01JNZ8Q5000000000000000000";

  @TempDir static Path directory;
  private static ServiceProcesses services;
  private static PlanEvidence evidence;

  @BeforeAll
  static void work() {
    services = ServiceProcesses.ofPlans(directory);
    var service = services.start("stories=DISPUTED,STOPPED,FRESH", "seed=7");
    for (int applied = 0; applied < 3; applied++) {
      service.await(What.APPLY_ANSWER, 1);
    }
    service.await(What.PLAN_ENDED, 3);
    service.kill();
    evidence = services.finishPlans();
  }

  @AfterAll
  static void stop() {
    services.close();
  }

  private static List<String> found(UnaryOperator<List<Line>> change) {
    return found(change, evidence.stored());
  }

  private static List<String> found(UnaryOperator<List<Line>> change, PlanStoreSamples stored) {
    var journal = change.apply(new ArrayList<>(evidence.jobs().journal()));
    var jobs = new RunEvidence(journal, evidence.jobs().facts(), evidence.jobs().jobs());
    return PlanFindings.violations(new PlanEvidence(jobs, stored));
  }

  private static UnaryOperator<List<Line>> with(What what, String... words) {
    return lines -> {
      lines.add(new Line(1, what, List.of(words)));
      return lines;
    };
  }

  private static UnaryOperator<List<Line>> without(Predicate<Line> which) {
    return lines -> lines.stream().filter(which.negate()).toList();
  }

  /// Replaces the words of the last matching line of a kind.
  private static UnaryOperator<List<Line>> other(
      What what, Predicate<Line> which, Function<Line, List<String>> words) {
    return lines -> {
      for (int at = lines.size() - 1; at >= 0; at--) {
        var line = lines.get(at);
        if (line.what() == what && which.test(line)) {
          lines.set(at, new Line(line.pid(), what, words.apply(line)));
          return lines;
        }
      }
      throw new AssertionError("there is no such line: " + what);
    };
  }

  private static PlanState any(Predicate<PlanState> which) {
    return evidence.stored().plans().values().stream()
        .filter(plan -> plan.spec().isRoot())
        .filter(which)
        .findFirst()
        .orElseThrow();
  }

  private static PlanState succeeded() {
    return any(plan -> plan.status() == PlanStatus.SUCCEEDED);
  }

  private static String id(PlanState plan) {
    return plan.id().value();
  }

  private static void assertSees(String violation, List<String> found) {
    assertThat(found).anyMatch(one -> one.matches("(?s)" + violation));
  }

  @Test
  void seeNothingWhereNothingIsWrong() {
    assertThat(found(UnaryOperator.identity())).isEmpty();
  }

  @Test
  void seeAPlanThatWasAcceptedAndIsNotThere() {
    assertSees("I1 .*, and is not there", found(with(What.PLAN_ACCEPTED, "fresh-1-1", NOBODY)));
  }

  @Test
  void seeAPlanThatNobodySubmitted() {
    var name = succeeded().spec().name();

    assertSees(
        "I2 nobody submitted plan " + name,
        found(
            without(
                line ->
                    (line.what() == What.PLAN_TRY || line.what() == What.PLAN_ACCEPTED)
                        && line.word(0).equals(name))));
  }

  @Test
  void seeAPlanThatIsThereTwice() {
    var plan = succeeded();
    var plans = new HashMap<>(evidence.stored().plans());
    plans.put(new PlanId(NOBODY), plan);

    assertSees(
        "I3 there are two plans " + plan.spec().name(),
        found(UnaryOperator.identity(), with(plans)));
  }

  private static PlanStoreSamples with(HashMap<PlanId, PlanState> plans) {
    var stored = evidence.stored();
    return new PlanStoreSamples(
        plans,
        stored.jobs(),
        stored.bodies(),
        stored.widest(),
        stored.dropped(),
        stored.notRunAgain(),
        stored.facts());
  }

  @Test
  void seeAPlanThatWasAcceptedAsAnother() {
    var plan = succeeded();
    var another = any(other -> !other.equals(plan));

    assertSees(
        "I3 plan .* was accepted as .*, and is .*",
        found(with(What.PLAN_ACCEPTED, plan.spec().name(), id(another))));
  }

  @Test
  void seeAPlanThatEndedInAnotherWayThanWasTold() {
    assertSees(
        "I6 plan .* was failed, is succeeded",
        found(with(What.PLAN_ENDED, id(succeeded()), PlanStatus.FAILED.label())));
  }

  @Test
  void seeACancelThatWasLost() {
    assertSees(
        "I12 plan .* was to be cancelled, and is succeeded",
        found(with(What.PLAN_CANCELLED, id(succeeded()))));
  }

  @Test
  void seeADecisionThatWasLost() {
    assertSees(
        "I11 .*never.txt.*, and is not",
        found(with(What.RESOLVED, id(succeeded()), "never.txt", "OURS")));
  }

  @Test
  void seeAFileThatIsLeftOverInASite() {
    assertSees(
        "site: that of plan .* has \\[site/left=12345678], and .*",
        found(
            other(
                What.FOUND,
                line -> true,
                line ->
                    List.of(line.word(0), line.word(1), line.word(2) + ",site/left=12345678"))));
  }

  @Test
  void seeASiteWithMoreThanItsPlanHas() {
    assertSees(
        "site: .*, which the plan does not have",
        found(other(What.FOUND, line -> true, line -> List.of(line.word(0), "999", line.word(2)))));
  }

  @Test
  void seeAnApplyThatWroteAlthoughSomebodyWasToldThatItDidNot() {
    assertSees(
        "site: that of plan .* changesets after 'Undone' for .*",
        found(
            lines ->
                lines.stream()
                    .map(
                        line ->
                            line.what() == What.APPLY_ANSWER
                                ? new Line(line.pid(), line.what(), List.of(line.word(0), "Undone"))
                                : line)
                    .toList()));
  }

  @Test
  void seeAnApplyOfWhichNobodyKnowsWhatBecame() {
    var site =
        evidence.jobs().journal().stream()
            .filter(line -> line.what() == What.APPLY)
            .findFirst()
            .orElseThrow();

    assertSees(
        "site: nobody knows of the last apply of plan .*",
        found(with(What.APPLY, site.word(0), site.word(1))));
  }
}
