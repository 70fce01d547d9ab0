package dev.handoff.internal.context.strategy;

import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Starts at files named in the query and at keyword matches, then follows references in both
/// directions, so that related files are found together.
final class BreadthDepthNavigator implements Strategy {

  static final String NAME = "breadth-depth-navigator";

  @Override
  public String name() {
    return NAME;
  }

  /// 0.85 for a query with words; 0.95 if it may name a file or type. Relevance is lowered later if
  /// the best files match few query terms.
  @Override
  public double confidence(ContextRequest request, Set<ContextRequest.Backend> backends) {
    var question = new RequestWords(request.query());
    if (!question.hasWords() || !backends.containsAll(needs())) {
      return 0;
    }
    return question.names().isEmpty() ? 0.85 : 0.95;
  }

  @Override
  public CompletionStage<List<Fragment>> gather(StrategyCall call) {
    var found = new FragmentMaker(NAME, call);
    var navigation = new ReferenceWalk(call);
    var best = navigation.best(FragmentMaker.MOST);
    if (!best.isEmpty()) {
      double most = best.getFirst().value();
      double trust = navigation.trust(found.terms());
      best.forEach(one -> found.add(one.path(), one.value() / most, trust, one.because()));
    }
    return CompletableFuture.completedStage(found.fragments());
  }
}
