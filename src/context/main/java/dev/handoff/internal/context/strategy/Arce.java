package dev.handoff.internal.context.strategy;

import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import dev.handoff.internal.ask.CallbackThreads;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Repeats the other strategies, each round with the names found so far added to the query, until
/// the best results stay unchanged.
final class Arce implements Strategy {

  static final String NAME = "arce";
  static final int MAX_ROUNDS = 4;

  private static final Set<String> OTHERS =
      Set.of(
          SimpleKeyword.NAME,
          SemanticEmbedding.NAME,
          BreadthDepthNavigator.NAME,
          TemporalArchaeology.NAME);

  private final int maxRounds;

  Arce() {
    this(MAX_ROUNDS);
  }

  Arce(int maxRounds) {
    this.maxRounds = maxRounds;
  }

  @Override
  public String name() {
    return NAME;
  }

  /// 0.95; 0 for a query without words.
  @Override
  public double confidence(ContextRequest request, Set<ContextRequest.Backend> backends) {
    boolean can = backends.containsAll(needs()) && new RequestWords(request.query()).hasWords();
    return can ? 0.95 : 0;
  }

  @Override
  public CompletionStage<List<Fragment>> gather(StrategyCall call) {
    return round(call, call.request(), new SearchRounds(call));
  }

  private CompletionStage<List<Fragment>> round(
      StrategyCall call, ContextRequest request, SearchRounds rounds) {
    return call.ask(request, others(call))
        .thenComposeAsync(
            found -> {
              var more = rounds.and(found);
              boolean over =
                  more.isSettled()
                      || more.count() == maxRounds
                      || call.cancellation().isCancelled();
              return over
                  ? CompletableFuture.completedStage(more.fragments())
                  : round(call, more.next(), more);
            },
            CallbackThreads.calls());
  }

  private static Set<String> others(StrategyCall call) {
    if (call.workspace().hasGit()) {
      return OTHERS;
    }
    var without = new HashSet<>(OTHERS);
    without.remove(TemporalArchaeology.NAME);
    return without;
  }
}
