package dev.handoff.context;

import java.util.List;
import java.util.Map;

/// Pipeline part that scores the candidates.
@FunctionalInterface
public non-sealed interface Scorer extends PipelinePart {

  /// @param confidences per strategy name
  List<Scored> score(List<DepthResolver.Candidate> candidates, Map<String, Double> confidences);

  record Scored(DepthResolver.Candidate candidate, Score score) {}

  /// A total score and its components; each 0 to 1.
  record Score(double total, double relevance, double hierarchy, double quality, double recency) {
    public Score {
      require("total", total);
      require("relevance", relevance);
      require("hierarchy", hierarchy);
      require("quality", quality);
      require("recency", recency);
    }

    /// Rejects NaN and infinity only, because they break comparison. Rounding may raise a sum
    /// slightly above 1, which is harmless.
    private static void require(String what, double value) {
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException(
            "%s of a score must be a number, was %s".formatted(what, value));
      }
    }
  }
}
