package dev.handoff.internal.context.strategy;

import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Searches the git history: files of commits with matching messages, and files changed together
/// with matching files.
final class TemporalArchaeology implements Strategy {

  static final String NAME = "temporal-archaeology";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ContextRequest.Backend> needs() {
    return EnumSet.of(ContextRequest.Backend.FILES, ContextRequest.Backend.GIT);
  }

  /// 0.5; 0 without a git repository or query words.
  @Override
  public double confidence(ContextRequest request, Set<ContextRequest.Backend> backends) {
    boolean can = backends.containsAll(needs()) && new RequestWords(request.query()).hasWords();
    return can ? 0.5 : 0;
  }

  @Override
  public CompletionStage<List<Fragment>> gather(StrategyCall call) {
    var found = new FragmentMaker(NAME, call);
    var history = new History(call, found.terms());
    var best = history.best(FragmentMaker.MOST);
    if (!best.isEmpty()) {
      double most = best.getFirst().value();
      double trust = history.trust();
      best.forEach(one -> found.add(one.path(), one.value() / most, trust * trust, one.because()));
    }
    return CompletableFuture.completedStage(found.fragments());
  }
}
