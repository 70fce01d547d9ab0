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

/// Begins with the files that a request names and those that its words lead to, and goes on from
/// there to what they refer to and what refers to them, so that what belongs together comes
/// together.
final class BreadthDepthNavigator implements Strategy {

  static final String NAME = "breadth-depth-navigator";

  @Override
  public String name() {
    return NAME;
  }

  /// 0.85, where the request has words; 0.95 where it may name a file or a type. What is found
  /// counts for less where the words lead nowhere in particular.
  @Override
  public double confidence(ContextRequest request, Set<Backend> backends) {
    var question = new Question(request.query());
    if (!question.hasWords() || !backends.containsAll(needs())) {
      return 0;
    }
    return question.names().isEmpty() ? 0.85 : 0.95;
  }

  @Override
  public CompletionStage<List<Fragment>> gather(StrategyCall call) {
    var found = new Findings(NAME, call);
    var navigation = new Navigation(call);
    var best = navigation.best(Findings.MOST);
    if (!best.isEmpty()) {
      double most = best.getFirst().value();
      double trust = navigation.trust(found.terms());
      best.forEach(one -> found.add(one.path(), one.value() / most, trust, one.because()));
    }
    return CompletableFuture.completedStage(found.fragments());
  }
}
