package dev.handoff.internal.context.strategy;

import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Finds files by the words of the query (BM25).
final class SimpleKeyword implements Strategy {

  static final String NAME = "simple-keyword";

  /// Fraction of the worst score that counts as background, because most files share some word.
  private static final double BACKGROUND = 0.9;

  @Override
  public String name() {
    return NAME;
  }

  /// 0.3; 0 for a query without words.
  @Override
  public double confidence(ContextRequest request, Set<ContextRequest.Backend> backends) {
    boolean can = backends.containsAll(needs()) && new RequestWords(request.query()).hasWords();
    return can ? 0.3 : 0;
  }

  @Override
  public CompletionStage<List<Fragment>> gather(StrategyCall call) {
    var hits = call.workspace().search(call.request().query(), FragmentMaker.MOST);
    var found = new FragmentMaker(NAME, call);
    if (!hits.isEmpty()) {
      double best = hits.getFirst().score();
      double floor = BACKGROUND * hits.getLast().score();
      double range = Math.max(best - floor, Double.MIN_NORMAL);
      hits.forEach(hit -> found.add(hit.path(), (hit.score() - floor) / range, 1, ""));
    }
    return CompletableFuture.completedStage(found.fragments());
  }
}
