package dev.handoff.context.strategy;

import dev.handoff.context.Backend;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Finds the files whose words are those of the request, as a search engine does.
final class SimpleKeyword implements Strategy {

  static final String NAME = "simple-keyword";

  /// Any file has some word of a request; this part of the worst score says nothing.
  private static final double BACKGROUND = 0.9;

  @Override
  public String name() {
    return NAME;
  }

  /// 0.3; 0 if the request has no words.
  @Override
  public double confidence(ContextRequest request, Set<Backend> backends) {
    boolean can = backends.containsAll(needs()) && new Question(request.query()).hasWords();
    return can ? 0.3 : 0;
  }

  @Override
  public CompletionStage<List<Fragment>> gather(StrategyCall call) {
    var hits = call.workspace().search(call.request().query(), Findings.MOST);
    var found = new Findings(NAME, call);
    if (!hits.isEmpty()) {
      double best = hits.getFirst().score();
      double floor = BACKGROUND * hits.getLast().score();
      double range = Math.max(best - floor, Double.MIN_NORMAL);
      hits.forEach(hit -> found.add(hit.path(), (hit.score() - floor) / range, 1, ""));
    }
    return CompletableFuture.completedStage(found.fragments());
  }
}
