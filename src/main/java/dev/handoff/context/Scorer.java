package dev.handoff.context;

import java.util.List;
import java.util.Map;

/// Says what each candidate is worth.
@FunctionalInterface
public non-sealed interface Scorer extends Part {

  /// @param confidences of the strategies, by name
  List<Scored> score(List<DepthResolver.Candidate> candidates, Map<String, Double> confidences);

  record Scored(DepthResolver.Candidate candidate, Score score) {}

  /// A worth and what it is made of; all of them 0 to 1.
  record Score(double total, double relevance, double hierarchy, double quality, double recency) {
    public Score {
      require("total", total);
      require("relevance", relevance);
      require("hierarchy", hierarchy);
      require("quality", quality);
      require("recency", recency);
    }

    /// Sums may end a little above 1, and harm nobody there; what is no number cannot be compared.
    private static void require(String what, double value) {
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException(
            "%s of a score must be a number, was %s".formatted(what, value));
      }
    }
  }
}
