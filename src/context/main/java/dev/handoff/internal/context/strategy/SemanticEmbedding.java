package dev.handoff.internal.context.strategy;

import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import dev.handoff.context.WorkspaceView.Hit;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Finds files with a passage whose vector is close to the query's vector.
final class SemanticEmbedding implements Strategy {

  static final String NAME = "semantic-embedding";

  /// Background similarity of unrelated texts, as a fraction of the best score.
  private static final double BACKGROUND = 0.5;

  /// Vectors with a lower similarity are unrelated in every embedding model.
  private static final double LEAST = 0.1;

  @Override
  public String name() {
    return NAME;
  }

  /// 0.6; 0.3 for a single word, which has little meaning; 0 for a query without words.
  @Override
  public double confidence(ContextRequest request, Set<ContextRequest.Backend> backends) {
    int words = new RequestWords(request.query()).words(2);
    if (words == 0 || !backends.containsAll(needs())) {
      return 0;
    }
    return words == 1 ? 0.3 : 0.6;
  }

  @Override
  public CompletionStage<List<Fragment>> gather(StrategyCall call) {
    var hits = call.workspace().nearest(call.request().query(), FragmentMaker.MOST);
    var found = new FragmentMaker(NAME, call);
    if (!hits.isEmpty()) {
      double best = hits.getFirst().score();
      double floor = Math.max(0, Math.min(best * BACKGROUND, hits.getLast().score()));
      hits.stream()
          .filter(hit -> hit.score() >= LEAST)
          .forEach(hit -> found.add(hit.path(), relevance(hit, best, floor), 1, near(hit)));
    }
    return CompletableFuture.completedStage(found.fragments());
  }

  private static double relevance(Hit hit, double best, double floor) {
    return best == floor ? 1 : (hit.score() - floor) / (best - floor);
  }

  private static String near(Hit hit) {
    return String.format(Locale.ROOT, "has a passage that is near, by %.2f", hit.score());
  }
}
