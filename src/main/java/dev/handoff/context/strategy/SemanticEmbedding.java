package dev.handoff.context.strategy;

import dev.handoff.context.Backend;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import dev.handoff.context.workspace.WorkspaceView.Hit;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Finds the files with a passage whose vector is near to that of the request.
final class SemanticEmbedding implements Strategy {

  static final String NAME = "semantic-embedding";

  /// Any text is somewhat near to any other; this part of the best says nothing.
  private static final double BACKGROUND = 0.5;

  /// Vectors less alike than this have nothing to do with each other, whatever made them.
  private static final double LEAST = 0.1;

  @Override
  public String name() {
    return NAME;
  }

  /// 0.6; half of that for a single word, which has hardly a meaning; 0 if there are none.
  @Override
  public double confidence(ContextRequest request, Set<Backend> backends) {
    int words = new Question(request.query()).words(2);
    if (words == 0 || !backends.containsAll(needs())) {
      return 0;
    }
    return words == 1 ? 0.3 : 0.6;
  }

  @Override
  public CompletionStage<List<Fragment>> gather(StrategyCall call) {
    var hits = call.workspace().nearest(call.request().query(), Findings.MOST);
    var found = new Findings(NAME, call);
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
