package dev.handoff.internal.context.strategy;

import dev.handoff.context.SearchDepth;
import dev.handoff.context.WorkspaceView;
import dev.handoff.internal.context.workspace.TermFinder;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Scores a file's declared subject against a request: matches in its name, first sentence,
/// headings or signatures, and text. Rare terms have a higher weight.
final class FileAffinity {

  private static final double NAMED = 0.3;
  private static final double SAID = 0.3;
  private static final double HEADED = 0.25;
  private static final double HELD = 0.15;

  private final WorkspaceView files;
  private final TermFinder finder;
  private final Map<String, Double> weights = new HashMap<>();
  private final double sum;

  FileAffinity(WorkspaceView files, Set<String> terms) {
    this.files = files;
    finder = new TermFinder(terms, files::terms);
    double sum = 0;
    for (String term : terms) {
      // The best BM25 score of a single term serves as its rarity.
      var best = files.search(term, 1);
      double weight = best.isEmpty() ? 0 : best.getFirst().score();
      weights.put(term, weight);
      sum += weight;
    }
    this.sum = sum;
  }

  /// Score from 0 to 1.
  double of(WorkspaceView.IndexedFile file) {
    if (sum == 0) {
      return 0;
    }
    var outline = file.outline();
    return (NAMED * weigh(file.path())
            + SAID * weigh(outline.at(SearchDepth.SUMMARY, Set.of(), files::terms))
            + HEADED * weigh(outline.at(SearchDepth.OUTLINE, Set.of(), files::terms))
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
