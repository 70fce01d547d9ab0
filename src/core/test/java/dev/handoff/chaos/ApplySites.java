package dev.handoff.chaos;

import dev.handoff.Handoff;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.testing.BoundedWaits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/// Target directories of a chaos run: a [ApplySite] per plan. Only the plan writes there, so the
/// expected content is known.
final class ApplySites {

  private final Handoff handoff;
  private final ClientJournal journal;
  private final Path place;
  private final Set<String> made = ConcurrentHashMap.newKeySet();
  private final Set<String> interrupted = new LinkedHashSet<>();

  /// @param path path of the journal, which shows the actions of earlier processes
  ApplySites(Handoff handoff, ClientJournal journal, Path path) {
    this.handoff = handoff;
    this.journal = journal;
    this.place = path.resolveSibling("sites");
    for (var line : ClientJournal.read(path)) {
      switch (line.what()) {
        case SITE -> made.add(line.word(0));
        case APPLY -> interrupted.add(line.word(0));
        case FOUND -> interrupted.remove(line.word(0));
        default -> {}
      }
    }
  }

  /// Records the sites whose applies a dead process left: this engine has finished or undone them.
  void lookAtTheRest() {
    interrupted.forEach(id -> look(handoff.plans().plan(new PlanId(id))));
  }

  void apply(PlanHandle plan) {
    end(plan, begin(plan));
  }

  CompletionStage<ApplyAnswer> begin(PlanHandle plan) {
    if (made.add(plan.id().value())) {
      var info = BoundedWaits.get(plan.info()).orElseThrow();
      site(plan).make(ApplySite.before(ChaosPlans.of(info.name()), steps(info)));
      journal.say(What.SITE, plan.id());
    }
    journal.say(What.APPLY, plan.id(), BoundedWaits.get(plan.changesets()).size());
    return plan.apply(site(plan).root());
  }

  void end(PlanHandle plan, CompletionStage<ApplyAnswer> answer) {
    journal.say(What.APPLY_ANSWER, plan.id(), BoundedWaits.get(answer).getClass().getSimpleName());
    look(plan);
  }

  private ApplySite site(PlanHandle plan) {
    return new ApplySite(place.resolve(plan.id().value()));
  }

  private static List<String> steps(PlanInfo plan) {
    var names = new ArrayList<String>();
    for (var step : plan.steps()) {
      step.plan()
          .ifPresentOrElse(child -> names.addAll(steps(child)), () -> names.add(step.name()));
    }
    return names;
  }

  /// Records a site as soon as no apply runs.
  private void look(PlanHandle plan) {
    BoundedWaits.until("no apply of " + plan + " is under way", () -> !isApplying(plan));
    var applied = BoundedWaits.get(plan.info()).map(PlanInfo::applied).orElse(List.of());
    int sets = applied.stream().mapToInt(PlanInfo.Applied::changesets).max().orElse(0);
    journal.say(What.FOUND, plan.id(), sets, site(plan).look());
  }

  private static boolean isApplying(PlanHandle plan) {
    return BoundedWaits.get(plan.info()).filter(info -> info.applying().isPresent()).isPresent();
  }
}
