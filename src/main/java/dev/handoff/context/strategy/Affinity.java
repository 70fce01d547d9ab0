package dev.handoff.context.strategy;

import dev.handoff.context.Depth;
import dev.handoff.context.workspace.IndexedFile;
import dev.handoff.context.workspace.TermFinder;
import dev.handoff.context.workspace.WorkspaceView;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// How much a file says by itself that it is about a request: by its name, by its first sentence,
/// by its headings and signatures, by its text. Rare terms weigh more than common ones.
final class Affinity {

  private static final double NAMED = 0.3;
  private static final double SAID = 0.3;
  private static final double HEADED = 0.25;
  private static final double HELD = 0.15;

  private final WorkspaceView files;
  private final TermFinder finder;
  private final Map<String, Double> weights = new HashMap<>();
  private final double sum;

  Affinity(WorkspaceView files, Set<String> terms) {
    this.files = files;
    finder = new TermFinder(terms, files::terms);
    double sum = 0;
    for (String term : terms) {
      // The best score for a term alone is the higher the fewer files have it.
      var best = files.search(term, 1);
      double weight = best.isEmpty() ? 0 : best.getFirst().score();
      weights.put(term, weight);
      sum += weight;
    }
    this.sum = sum;
  }

  /// 0 to 1.
  double of(IndexedFile file) {
    if (sum == 0) {
      return 0;
    }
    var outline = file.outline();
    return (NAMED * weigh(file.path())
            + SAID * weigh(outline.at(Depth.SUMMARY, Set.of(), files::terms))
            + HEADED * weigh(outline.at(Depth.OUTLINE, Set.of(), files::terms))
            + HELD * weigh(file.text()))
        / sum;
  }

  private double weigh(String text) {
    return finder.in(text).stream()
        .sorted()
        .mapToDouble(term -> weights.getOrDefault(term, 0.0))
        .sum();
  }
}
