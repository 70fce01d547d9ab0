package dev.handoff.context.strategy;

import dev.handoff.context.Backend;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Reads the git history: the files of commits whose messages are about the request, and those that
/// were changed together with files that are.
final class TemporalArchaeology implements Strategy {

  static final String NAME = "temporal-archaeology";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<Backend> needs() {
    return EnumSet.of(Backend.FILES, Backend.GIT);
  }

  /// 0.5; 0 without a git repository or without words.
  @Override
  public double confidence(ContextRequest request, Set<Backend> backends) {
    boolean can = backends.containsAll(needs()) && new Question(request.query()).hasWords();
    return can ? 0.5 : 0;
  }

  @Override
  public CompletionStage<List<Fragment>> gather(StrategyCall call) {
    var found = new Findings(NAME, call);
    var history = new History(call, found.terms());
    var best = history.best(Findings.MOST);
    if (!best.isEmpty()) {
      double most = best.getFirst().value();
      double trust = history.trust();
      best.forEach(one -> found.add(one.path(), one.value() / most, trust * trust, one.because()));
    }
    return CompletableFuture.completedStage(found.fragments());
  }
}
