package dev.handoff.testing;

import dev.handoff.JobId;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.plan.PlanPhase;
import dev.handoff.internal.plan.PlanSpec;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.change.BodyCodec;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.ChangeEntry;
import dev.handoff.internal.plan.change.Changeset;
import dev.handoff.internal.plan.change.SetBody;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Checks the observations of callers and attempts, and the stored plans, for violations of the
/// engine's invariants. Needs no engine.
///
/// | | |
/// |---|---|
/// | I1 | every plan has ended, and its steps agree with their jobs |
/// | I10 | changes of an attempt are visible if and only if the attempt succeeded |
/// | I11 | every change is in the changeset that its reply named, in order, and the chain verifies |
/// | I13 | no plan runs more steps at once than its limit |
public final class PlanInvariants {

  private final ChangeHistory history;
  private final PlanStoreSamples stored;
  private final List<String> violations = new ArrayList<>();

  private PlanInvariants(ChangeHistory history, PlanStoreSamples stored) {
    this.history = history;
    this.stored = stored;
  }

  /// Violations in words; each begins with the number of its invariant.
  public static List<String> violations(ChangeHistory history, PlanStoreSamples stored) {
    var checks = new PlanInvariants(history, stored);
    for (var plan : stored.plans().values()) {
      checks.chainVerifies(plan);
      checks.stepsAreWhatTheirJobsSay(plan);
      checks.limitHolds(plan);
      if (plan.spec().isRoot()) {
        checks.setsOfCallers(plan);
        checks.setsOfAttempts(plan);
      }
    }
    checks.changesOfAttempts();
    return List.copyOf(checks.violations);
  }

  private void require(boolean holds, String violation, Object... details) {
    if (!holds) {
      violations.add(violation.formatted(details));
    }
  }

  private <T extends ChangeHistory.Entry> List<T> all(Class<T> kind) {
    return history.all(kind);
  }

  private void chainVerifies(PlanState plan) {
    var previous = ChainHash.NONE;
    for (var link : plan.book().chain()) {
      require(link.follows(previous), "I11 set %s of plan %s is altered", link.id(), plan.id());
      previous = link.hash();
      var body = stored.bodies().get(link.body());
      if (body == null) {
        violations.add("I11 the body of set %s of %s is missing".formatted(link.id(), plan.id()));
      } else {
        bodyFits(plan, link, body);
      }
    }
    for (var open : plan.book().open()) {
      entriesFollow(plan, open.id(), open.entries());
    }
  }

  private void bodyFits(PlanState plan, Changeset link, SetBody body) {
    require(
        ChainHash.of(BodyCodec.encode(body)).equals(link.body())
            && body.entries().size() == link.changes()
            && body.decisions().size() == link.decisions(),
        "I11 the body of set %s of plan %s is another one",
        link.id(),
        plan.id());
    entriesFollow(plan, link.id(), body.entries());
  }

  private void entriesFollow(PlanState plan, String set, List<ChangeEntry> entries) {
    var seal = ChainHash.first(set);
    for (var entry : entries) {
      require(
          entry.follows(seal), "I11 %s in set %s of %s is altered", entry.path(), set, plan.id());
      seal = entry.seal();
    }
  }

  /// Paths in each caller's changeset, open or committed.
  private Map<String, List<String>> contents(PlanState plan) {
    var sets = new LinkedHashMap<String, List<String>>();
    plan.book().open().forEach(set -> sets.put(set.id(), paths(set.entries())));
    for (var link : plan.book().chain()) {
      if (link.by().job() == null) {
        require(!sets.containsKey(link.id()), "I11 set %s of %s twice", link.id(), plan.id());
        sets.put(link.id(), paths(link));
      }
    }
    return sets;
  }

  private List<String> paths(Changeset link) {
    var body = stored.bodies().get(link.body());
    return body == null ? List.of() : paths(body.entries());
  }

  private static List<String> paths(List<ChangeEntry> entries) {
    return entries.stream().map(ChangeEntry::path).toList();
  }

  private void setsOfCallers(PlanState plan) {
    var sets = contents(plan);
    var places = new HashMap<String, List<String>>();
    sets.forEach(
        (set, paths) ->
            paths.forEach(
                path -> places.computeIfAbsent(path, none -> new ArrayList<>()).add(set)));
    var asked = of(plan, ChangeHistory.Asked.class);
    var known = asked.stream().map(ChangeHistory.Asked::path).collect(Collectors.toSet());
    places.forEach(
        (path, found) -> {
          require(known.contains(path), "I11 nobody recorded %s in %s", path, found);
          require(found.size() == 1, "I11 %s is in %s", path, found);
        });
    recordedAreInPlace(plan, sets, places);
    for (var refused : of(plan, ChangeHistory.Refused.class)) {
      var found = places.get(refused.path());
      require(found == null, "I11 %s was refused, and is in %s", refused.path(), found);
    }
    endsOfSets(plan, sets);
  }

  private void recordedAreInPlace(
      PlanState plan, Map<String, List<String>> sets, Map<String, List<String>> places) {
    var gone =
        of(plan, ChangeHistory.Discarding.class).stream()
            .map(ChangeHistory.Discarding::changeset)
            .collect(Collectors.toCollection(HashSet::new));
    gone.addAll(stored.dropped().getOrDefault(plan.id(), Set.of()));
    for (var told : of(plan, ChangeHistory.Recorded.class)) {
      var set = sets.get(told.changeset());
      if (set == null && gone.contains(told.changeset())) {
        var found = places.get(told.path());
        require(found == null, "I11 %s is in %s, its set is gone", told.path(), found);
      } else {
        require(
            set != null
                && set.size() >= told.place()
                && set.get(told.place() - 1).equals(told.path()),
            "I11 %s is not in %s at %d, but in %s",
            told.path(),
            told.changeset(),
            told.place(),
            places.getOrDefault(told.path(), List.of()));
      }
    }
  }

  private void endsOfSets(PlanState plan, Map<String, List<String>> sets) {
    for (var closed : of(plan, ChangeHistory.Closed.class)) {
      require(
          plan.book().committed(closed.changeset()).isPresent(),
          "I11 set %s of plan %s was closed, and is not in the chain",
          closed.changeset(),
          plan.id());
    }
    for (var gone : of(plan, ChangeHistory.Discarded.class)) {
      require(
          !sets.containsKey(gone.changeset()),
          "I11 set %s of plan %s was discarded, and is there",
          gone.changeset(),
          plan.id());
    }
  }

  private <T extends ChangeHistory.Entry> List<T> of(PlanState plan, Class<T> kind) {
    return all(kind).stream().filter(entry -> planOf(entry).equals(plan.id())).toList();
  }

  private static PlanId planOf(ChangeHistory.Entry entry) {
    return switch (entry) {
      case ChangeHistory.Asked(var plan, var path) -> plan;
      case ChangeHistory.Recorded told -> told.plan();
      case ChangeHistory.Refused(var plan, var path) -> plan;
      case ChangeHistory.Closed(var plan, var set) -> plan;
      case ChangeHistory.Discarding(var plan, var set) -> plan;
      case ChangeHistory.Discarded(var plan, var set) -> plan;
      case ChangeHistory.Made made -> throw new IllegalArgumentException(made + " has no plan");
    };
  }

  /// Checks I10 from the chain to the jobs.
  private void setsOfAttempts(PlanState plan) {
    Set<JobId> seen = new HashSet<>();
    for (var link : plan.book().chain()) {
      var job = link.by().job();
      if (job != null) {
        require(seen.add(job), "I10 job %s has left two sets in %s", job, plan.id());
        require(
            hasSucceeded(job, link.by().attempt()),
            "I10 attempt %d of job %s has not succeeded, and its changes are in plan %s",
            link.by().attempt(),
            job,
            plan.id());
      }
    }
  }

  private boolean hasSucceeded(JobId id, int attempt) {
    var job = stored.jobs().get(id);
    return job != null && job.phase() instanceof JobPhase.Succeeded && job.attempt() == attempt;
  }

  /// Checks I10 from the attempts' changes to the chain.
  private void changesOfAttempts() {
    var made = new LinkedHashMap<JobId, Map<Integer, List<String>>>();
    for (var one : all(ChangeHistory.Made.class)) {
      made.computeIfAbsent(one.job(), none -> new HashMap<>())
          .computeIfAbsent(one.attempt(), none -> new ArrayList<>())
          .add(one.path());
    }
    var committed = new HashMap<JobId, List<String>>();
    for (var plan : stored.plans().values()) {
      for (var link : plan.book().chain()) {
        if (link.by().job() != null) {
          committed.put(link.by().job(), paths(link));
        }
      }
    }
    for (var job : stored.jobs().values()) {
      var wanted =
          job.phase() instanceof JobPhase.Succeeded
              ? made.getOrDefault(job.id(), Map.of()).getOrDefault(job.attempt(), List.of())
              : List.<String>of();
      var found = committed.getOrDefault(job.id(), List.of());
      require(
          found.equals(wanted),
          "I10 job %s (%s) has made %s, and its plan has %s",
          job.id(),
          job.phase(),
          wanted,
          found);
    }
  }

  private void stepsAreWhatTheirJobsSay(PlanState plan) {
    require(
        plan.isOver(), "I1 plan %s has not ended: %s %s", plan.id(), plan.phase(), plan.steps());
    for (var spec : plan.spec().steps()) {
      var status = plan.steps().find(spec.name()).orElseThrow().status();
      var child = spec.job() == null ? ofPlan(spec) : ofJob(spec);
      require(
          status == child
              || wasNotRunAgain(plan, spec.name()) && child == PlanInfo.StepStatus.FAILED,
          "I1 step %s of plan %s is %s, and what it is made of is %s",
          spec.name(),
          plan.id(),
          status,
          child);
    }
  }

  private boolean wasNotRunAgain(PlanState plan, String step) {
    return plan.steps().find(step).orElseThrow().status() == PlanInfo.StepStatus.CANCELLED
        && stored.notRunAgain().getOrDefault(plan.id(), Set.of()).contains(step);
  }

  private PlanInfo.StepStatus ofJob(PlanSpec.Step step) {
    JobState job = stored.jobs().get(step.job());
    return job == null
        ? PlanInfo.StepStatus.WAITING
        : switch (job.phase()) {
          case JobPhase.Succeeded won -> PlanInfo.StepStatus.SUCCEEDED;
          case JobPhase.Failed failed -> PlanInfo.StepStatus.FAILED;
          case JobPhase.Cancelled cancelled -> PlanInfo.StepStatus.CANCELLED;
          case JobPhase.Waiting held -> PlanInfo.StepStatus.WAITING;
          case JobPhase live -> PlanInfo.StepStatus.RELEASED;
        };
  }

  private PlanInfo.StepStatus ofPlan(PlanSpec.Step step) {
    PlanState plan = stored.plans().get(step.plan());
    return plan == null
        ? PlanInfo.StepStatus.WAITING
        : switch (plan.phase()) {
          case PlanPhase.Succeeded won -> PlanInfo.StepStatus.SUCCEEDED;
          case PlanPhase.Failed failed -> PlanInfo.StepStatus.FAILED;
          case PlanPhase.Cancelled cancelled -> PlanInfo.StepStatus.CANCELLED;
          case PlanPhase.Waiting held -> PlanInfo.StepStatus.WAITING;
          case PlanPhase live -> PlanInfo.StepStatus.RELEASED;
        };
  }

  private void limitHolds(PlanState plan) {
    int widest = stored.widest().getOrDefault(plan.id(), 0);
    require(
        widest <= plan.spec().maxParallel(),
        "I13 plan %s ran %d steps at once, and may %d",
        plan.id(),
        widest,
        plan.spec().maxParallel());
  }
}
