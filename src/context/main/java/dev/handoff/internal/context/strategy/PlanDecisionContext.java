package dev.handoff.internal.context.strategy;

import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.PlanDecisions;
import dev.handoff.context.PlanDecisions.Decision;
import dev.handoff.context.SearchDepth;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/// Finds decisions of earlier plan steps, by shared words and by distance. One fragment per step.
final class PlanDecisionContext implements Strategy {

  static final String NAME = "plan-decision-context";

  private static final double WORDS = 0.6;
  private static final double NEARNESS = 0.4;

  /// Higher than for files, because decisions were recorded on purpose.
  private static final double QUALITY = 1;

  /// @param shared query terms in the decision or its step name
  private record Weighed(Decision decision, Set<String> shared, double relevance) {}

  /// Best first; among equal decisions, newest first.
  private static final Comparator<Weighed> ORDER =
      Comparator.comparingDouble((Weighed one) -> -one.relevance())
          .thenComparing(one -> one.decision().at(), Comparator.reverseOrder())
          .thenComparing(one -> one.decision().step())
          .thenComparing(one -> one.decision().text());

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ContextRequest.Backend> needs() {
    return Set.of(ContextRequest.Backend.PLAN);
  }

  /// 0.7; 0 for a query without words or a plan without decisions.
  @Override
  public double confidence(ContextRequest request, Set<ContextRequest.Backend> backends) {
    boolean can =
        backends.containsAll(needs())
            && !decisions(request).all().isEmpty()
            && new RequestWords(request.query()).hasWords();
    return can ? 0.7 : 0;
  }

  private static PlanDecisions decisions(ContextRequest request) {
    return request.plan() == null ? PlanDecisions.NONE : request.plan();
  }

  @Override
  public CompletionStage<List<Fragment>> gather(StrategyCall call) {
    var terms = call.workspace().terms(call.request().query());
    var steps =
        decisions(call.request()).all().stream()
            .map(decision -> weighed(decision, terms, call))
            .sorted(ORDER)
            .collect(
                Collectors.groupingBy(
                    one -> one.decision().step(), LinkedHashMap::new, Collectors.toList()));
    return CompletableFuture.completedStage(
        steps.entrySet().stream()
            .limit(FragmentMaker.MOST)
            .map(step -> fragment(step.getKey(), step.getValue()))
            .toList());
  }

  private static Weighed weighed(Decision decision, Set<String> terms, StrategyCall call) {
    call.cancellation().throwIfCancelled();
    var shared = new TreeSet<>(terms);
    shared.retainAll(call.workspace().terms(decision.step() + " " + decision.text()));
    double words = terms.isEmpty() ? 0 : (double) shared.size() / terms.size();
    return new Weighed(decision, shared, WORDS * words + NEARNESS / decision.distance());
  }

  /// @param decisions of the step, best first
  private static Fragment fragment(String step, List<Weighed> decisions) {
    var best = decisions.getFirst();
    var newest = decisions.stream().map(one -> one.decision().at()).max(Comparator.naturalOrder());
    return new Fragment(
        "decisions of step " + step,
        NAME,
        texts(step, decisions),
        best.relevance(),
        QUALITY,
        newest.orElseThrow(),
        because(best));
  }

  private static NavigableMap<SearchDepth, String> texts(String step, List<Weighed> decisions) {
    var matching = decisions.stream().filter(one -> !one.shared().isEmpty()).toList();
    var best = decisions.subList(0, 1);
    return new TreeMap<>(
        Map.of(
            SearchDepth.NAME, "Step %s of this plan has decided something.\n".formatted(step),
            SearchDepth.SUMMARY, text(step, best),
            SearchDepth.OUTLINE, text(step, best),
            SearchDepth.MATCHED, text(step, matching.isEmpty() ? best : matching),
            SearchDepth.FULL, text(step, decisions)));
  }

  private static String text(String step, List<Weighed> decisions) {
    return decisions.stream()
        .map(one -> "- " + one.decision().text() + "\n")
        .collect(
            Collectors.joining(
                "", "Decided in step %s, earlier in this plan:\n".formatted(step), ""));
  }

  private static String because(Weighed best) {
    var near =
        best.decision().distance() == 1
            ? "directly before"
            : best.decision().distance() + " steps before";
    return best.shared().isEmpty()
        ? near
        : "matches " + String.join(", ", best.shared()) + ", " + near;
  }
}
