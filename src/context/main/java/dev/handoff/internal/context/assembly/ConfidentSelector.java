package dev.handoff.internal.context.assembly;

import dev.handoff.JobError;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.PipelinePart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Chooses every strategy with sufficient confidence among the enabled or explicitly named
/// strategies. A preference halves a strategy's distance to confidence 1 and enables it if it is
/// disabled. The keyword search is the fallback if none is chosen.
final class ConfidentSelector implements PipelinePart.StrategySelector {

  static final String FALLBACK = "simple-keyword";

  static final double LEAST = 0.05;

  @Override
  public Selection select(
      ContextRequest request, List<Candidate> known, Set<ContextRequest.Backend> backends) {
    var chosen = new ArrayList<Chosen>();
    var skipped = new ArrayList<Skipped>();
    for (var candidate : known) {
      judge(candidate, request, backends, chosen, skipped);
    }
    if (chosen.isEmpty() && request.only().isEmpty()) {
      fallBack(known, backends, chosen, skipped);
    }
    chosen.sort(
        Comparator.comparingDouble(Chosen::confidence)
            .reversed()
            .thenComparing(one -> one.strategy().name()));
    return new Selection(chosen, skipped);
  }

  private static void judge(
      Candidate candidate,
      ContextRequest request,
      Set<ContextRequest.Backend> backends,
      List<Chosen> chosen,
      List<Skipped> skipped) {
    var strategy = candidate.strategy();
    var name = strategy.name();
    if (!isWanted(candidate, request)) {
      var reason = request.only().isEmpty() ? "it is off" : "others were named";
      skipped.add(new Skipped(name, 0, reason));
      return;
    }
    try {
      var missing = new TreeSet<>(strategy.needs());
      missing.removeAll(backends);
      if (!missing.isEmpty()) {
        skipped.add(new Skipped(name, 0, "it needs " + missing.first() + ", which is not there"));
        return;
      }
      double confidence = boosted(strategy.confidence(request, backends), name, request);
      if (confidence < LEAST && !request.only().contains(name)) {
        skipped.add(new Skipped(name, confidence, "it expects nothing of this request"));
      } else {
        chosen.add(new Chosen(strategy, Math.max(confidence, LEAST)));
      }
    } catch (Throwable broken) {
      var error = JobError.of(broken);
      skipped.add(
          new Skipped(
              name, 0, "its confidence failed: %s: %s".formatted(error.type(), error.message())));
    }
  }

  private static boolean isWanted(Candidate candidate, ContextRequest request) {
    var name = candidate.strategy().name();
    return request.only().isEmpty()
        ? candidate.on() || request.preferred().contains(name)
        : request.only().contains(name);
  }

  private static double boosted(double confidence, String name, ContextRequest request) {
    if (!(confidence >= 0 && confidence <= 1)) {
      throw new IllegalArgumentException("it must be 0 to 1, was " + confidence);
    }
    return request.preferred().contains(name) ? (1 + confidence) / 2 : confidence;
  }

  private static void fallBack(
      List<Candidate> known,
      Set<ContextRequest.Backend> backends,
      List<Chosen> chosen,
      List<Skipped> skipped) {
    for (var candidate : known) {
      var strategy = candidate.strategy();
      if (strategy.name().equals(FALLBACK) && backends.containsAll(strategy.needs())) {
        skipped.removeIf(one -> one.strategy().equals(FALLBACK));
        chosen.add(new Chosen(strategy, LEAST));
      }
    }
  }
}
