package dev.handoff.internal.context.assembly;

import dev.handoff.context.Fragment;
import dev.handoff.context.PipelinePart;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Relevance 0.4, hierarchy 0.3, quality 0.2, recency 0.1.
///
/// * relevance: combines the relevance of all finding strategies, weighted by their confidence
/// * hierarchy: mean relevance of the best three resources in the directory; a lone file has no
///   neighbours and scores low
/// * quality: general quality of the resource
/// * recency: 1 for the newest resource, half for 30 days older. Files of a fresh checkout have
///   equal times and equal recency
final class WeightedScorer implements PipelinePart.Scorer {

  private static final double RELEVANCE = 0.4;
  private static final double HIERARCHY = 0.3;
  private static final double QUALITY = 0.2;
  private static final double RECENCY = 0.1;
  private static final Duration HALF_AFTER = Duration.ofDays(30);
  private static final int NEIGHBOURS = 3;

  @Override
  public List<Scored> score(
      List<PipelinePart.DepthResolver.Candidate> candidates, Map<String, Double> confidences) {
    var relevances = new HashMap<String, Double>();
    candidates.forEach(
        one ->
            relevances.put(one.found().fragment().resource(), relevance(one.found(), confidences)));
    var directories = new HashMap<String, Double>();
    relevances.keySet().stream()
        .map(WeightedScorer::directory)
        .distinct()
        .forEach(one -> directories.put(one, together(one, relevances)));
    var newest =
        candidates.stream()
            .map(one -> one.found().fragment().modified())
            .filter(Objects::nonNull)
            .max(Comparator.naturalOrder())
            .orElse(Instant.MIN);
    return candidates.stream()
        .map(one -> new Scored(one, score(one.found(), relevances, directories, newest)))
        .sorted(
            Comparator.comparingDouble((Scored one) -> -one.score().total())
                .thenComparing(one -> one.candidate().found().fragment().resource()))
        .toList();
  }

  private static double relevance(Fragment.Found found, Map<String, Double> confidences) {
    double doubt = 1;
    for (var one : found.by().entrySet()) {
      doubt *= 1 - one.getValue() * confidences.getOrDefault(one.getKey(), 0.5);
    }
    return 1 - doubt;
  }

  private static double together(String directory, Map<String, Double> relevances) {
    return relevances.entrySet().stream()
            .filter(one -> directory(one.getKey()).equals(directory))
            .map(Map.Entry::getValue)
            .sorted(Comparator.reverseOrder())
            .limit(NEIGHBOURS)
            .mapToDouble(Double::doubleValue)
            .sum()
        / NEIGHBOURS;
  }

  private static Score score(
      Fragment.Found found,
      Map<String, Double> relevances,
      Map<String, Double> directories,
      Instant newest) {
    var fragment = found.fragment();
    double relevance = relevances.getOrDefault(fragment.resource(), 0.0);
    double hierarchy = directories.getOrDefault(directory(fragment.resource()), 0.0);
    double recency = recency(fragment.modified(), newest);
    double total =
        RELEVANCE * relevance
            + HIERARCHY * hierarchy
            + QUALITY * fragment.quality()
            + RECENCY * recency;
    return new Score(total, relevance, hierarchy, fragment.quality(), recency);
  }

  private static double recency(@Nullable Instant modified, Instant newest) {
    if (modified == null) {
      return 0.5;
    }
    double age = (double) Duration.between(modified, newest).toMillis() / HALF_AFTER.toMillis();
    return 1 / (1 + age);
  }

  private static String directory(String resource) {
    return resource.substring(0, Math.max(0, resource.lastIndexOf('/')));
  }
}
