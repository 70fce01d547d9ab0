package dev.handoff.chaos;

import dev.handoff.chaos.ClientJournal.Line;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.ChangeHistory;
import dev.handoff.testing.PlanInvariants;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Checks the [PlanEvidence] of a chaos run: [RunFindings] for jobs, [PlanInvariants] for plans,
/// and properties that need several processes.
///
/// | | |
/// |---|---|
/// | I1, I2, I3 | all accepted plans exist, no other plans exist, and no plan exists twice |
/// | I6 | a reported end of a plan agrees with the store |
/// | I11 | the resolution of a conflict is the reported one |
/// | I12 | a plan reported as being cancelled is cancelled |
/// | site | see [SiteFindings] |
final class PlanFindings {

  private final PlanEvidence evidence;
  private final List<String> violations = new ArrayList<>();

  private PlanFindings(PlanEvidence evidence) {
    this.evidence = evidence;
  }

  /// Violations in words; each begins with the number of its invariant.
  static List<String> violations(PlanEvidence evidence) {
    var findings = new PlanFindings(evidence);
    findings.submissions();
    findings.ends();
    findings.resolutions();
    findings.violations.addAll(RunFindings.violations(evidence.jobs()));
    findings.violations.addAll(PlanInvariants.violations(findings.changes(), evidence.stored()));
    findings.violations.addAll(SiteFindings.of(evidence).violations());
    return findings.violations;
  }

  private void require(boolean holds, String violation, Object... details) {
    if (!holds) {
      violations.add(violation.formatted(details));
    }
  }

  private List<Line> lines(What what) {
    return evidence.jobs().journal().stream().filter(line -> line.what() == what).toList();
  }

  private ChangeHistory changes() {
    var history = new ChangeHistory();
    lines(What.CHANGE).forEach(line -> history.add(ChangeLines.read(line)));
    return history;
  }

  private void submissions() {
    var ids = new HashMap<String, String>();
    lines(What.PLAN_TRY).forEach(line -> ids.put(line.word(0), ""));
    for (var line : lines(What.PLAN_ACCEPTED)) {
      ids.put(line.word(0), line.word(1));
      require(plan(line.word(1)) != null, "I1 %s, and is not there", line);
    }
    Set<String> seen = new HashSet<>();
    for (var plan : evidence.stored().plans().values()) {
      if (plan.spec().isRoot()) {
        var name = plan.spec().name();
        var id = ids.get(name);
        require(id != null, "I2 nobody submitted plan %s", name);
        require(seen.add(name), "I3 there are two plans %s", name);
        require(
            id == null || id.isEmpty() || id.equals(plan.id().value()),
            "I3 plan %s was accepted as %s, and is %s",
            name,
            id,
            plan.id());
      }
    }
  }

  private PlanState plan(String id) {
    return evidence.stored().plans().get(new PlanId(id));
  }

  private void ends() {
    Map<String, String> told = new HashMap<>();
    Set<String> cancelled = new HashSet<>();
    for (var line : evidence.jobs().journal()) {
      switch (line.what()) {
        case PLAN_CANCELLED -> cancelled.add(line.word(0));
        case PLAN_ENDED -> told.put(line.word(0), line.word(1));
        // A retry counts even without an answer.
        case PLAN_RETRY -> {
          told.remove(line.word(0));
          cancelled.remove(line.word(0));
        }
        default -> {}
      }
    }
    told.forEach(
        (id, status) ->
            require(
                statusOf(id).equals(status), "I6 plan %s was %s, is %s", id, status, statusOf(id)));
    cancelled.forEach(
        id ->
            require(
                statusOf(id).equals(PlanStatus.CANCELLED.label()),
                "I12 plan %s was to be cancelled, and is %s",
                id,
                statusOf(id)));
  }

  private String statusOf(String id) {
    var plan = plan(id);
    return plan == null ? "missing" : plan.status().label();
  }

  private void resolutions() {
    for (var line : lines(What.RESOLVED)) {
      var plan = plan(line.word(0));
      require(
          plan != null
              && plan.book().resolutions().stream()
                  .anyMatch(resolution -> resolution.path().equals(line.word(1))),
          "I11 %s, and is not",
          line);
    }
  }
}
