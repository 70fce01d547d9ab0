package dev.handoff.internal.context.assembly;

import dev.handoff.context.PipelinePart;
import java.util.ArrayList;
import java.util.List;

/// Divides the pool by confidence. With several strategies, a share is at most 60 %; the excess
/// goes to the others.
final class ProportionalAllocator implements PipelinePart.BudgetAllocator {

  private static final double MOST = 0.6;

  @Override
  public List<Share> allocate(int pool, List<PipelinePart.StrategySelector.Chosen> chosen) {
    double all =
        chosen.stream().mapToDouble(PipelinePart.StrategySelector.Chosen::confidence).sum();
    double most = chosen.size() < 2 ? 1 : MOST;
    double above =
        chosen.stream().mapToDouble(one -> Math.max(0, one.confidence() / all - most)).sum();
    double below =
        chosen.stream()
            .mapToDouble(one -> one.confidence() / all)
            .filter(part -> part < most)
            .sum();
    var shares = new ArrayList<Share>();
    for (var one : chosen) {
      double part = one.confidence() / all;
      double given = part < most ? part + above * part / below : most;
      shares.add(new Share(one, (int) Math.floor(pool * given)));
    }
    return shares;
  }
}
