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
  record Score(double total, double relevance, double hierarchy, double quality, double recency) {}
}
