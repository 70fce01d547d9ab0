package dev.handoff.chaos;

import dev.handoff.AppliedInfo;
import dev.handoff.ApplyAnswer;
import dev.handoff.Handoff;
import dev.handoff.PlanHandle;
import dev.handoff.PlanInfo;
import dev.handoff.chaos.Journal.What;
import dev.handoff.plan.PlanId;
import dev.handoff.testing.Soon;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/// Where the plans of a chaos run are applied to, each to a [Site] of its own: nobody else writes
/// there, so that what is to be there is known.
final class Sites {

  private final Handoff handoff;
  private final Journal journal;
  private final Path place;
  private final Set<String> made = ConcurrentHashMap.newKeySet();
  private final Set<String> interrupted = new LinkedHashSet<>();

  /// @param path of the journal, which says what earlier processes have done
  Sites(Handoff handoff, Journal journal, Path path) {
    this.handoff = handoff;
    this.journal = journal;
    this.place = path.resolveSibling("sites");
    for (var line : Journal.read(path)) {
      switch (line.what()) {
        case SITE -> made.add(line.word(0));
        case APPLY -> interrupted.add(line.word(0));
        case FOUND -> interrupted.remove(line.word(0));
        default -> {}
      }
    }
  }

  /// Looks at what applies have left that a dead process had begun: this one has finished or undone
  /// them.
  void lookAtTheRest() {
    interrupted.forEach(id -> look(handoff.plans().plan(new PlanId(id))));
  }

  void apply(PlanHandle plan) {
    end(plan, begin(plan));
  }

  CompletionStage<ApplyAnswer> begin(PlanHandle plan) {
    if (made.add(plan.id().value())) {
      var info = Soon.get(plan.info()).orElseThrow();
      site(plan).make(Site.before(Story.of(info.name()), steps(info)));
      journal.say(What.SITE, plan.id());
    }
    journal.say(What.APPLY, plan.id(), Soon.get(plan.changesets()).size());
    return plan.apply(site(plan).root());
  }

  void end(PlanHandle plan, CompletionStage<ApplyAnswer> answer) {
    journal.say(What.APPLY_ANSWER, plan.id(), Soon.get(answer).getClass().getSimpleName());
    look(plan);
  }

  private Site site(PlanHandle plan) {
    return new Site(place.resolve(plan.id().value()));
  }

  private static List<String> steps(PlanInfo plan) {
    var names = new ArrayList<String>();
    for (var step : plan.steps()) {
      step.plan()
          .ifPresentOrElse(child -> names.addAll(steps(child)), () -> names.add(step.name()));
    }
    return names;
  }

  /// Says what is there, as soon as nobody writes.
  private void look(PlanHandle plan) {
    Soon.until("no apply of " + plan + " is under way", () -> !isApplying(plan));
    var applied = Soon.get(plan.info()).map(PlanInfo::applied).orElse(List.of());
    int sets = applied.stream().mapToInt(AppliedInfo::changesets).max().orElse(0);
    journal.say(What.FOUND, plan.id(), sets, site(plan).look());
  }

  private static boolean isApplying(PlanHandle plan) {
    return Soon.get(plan.info()).filter(info -> info.applying().isPresent()).isPresent();
  }
}
