package dev.handoff.context.assembly;

import dev.handoff.context.BudgetAllocator;
import dev.handoff.context.Deduplicator;
import dev.handoff.context.DepthResolver;
import dev.handoff.context.Orderer;
import dev.handoff.context.Packer;
import dev.handoff.context.Parts;
import dev.handoff.context.Preamble;
import dev.handoff.context.Scorer;
import dev.handoff.context.SkeletonCompressor;
import dev.handoff.context.StrategyExecutor;
import dev.handoff.context.StrategySelector;

/// The parts that are used unless they are replaced.
final class DefaultParts {

  private DefaultParts() {}

  static Parts with(StrategyExecutor executor) {
    return Parts.NONE
        .with(StrategySelector.class, new ConfidentSelector())
        .with(BudgetAllocator.class, new ProportionalAllocator())
        .with(StrategyExecutor.class, executor)
        .with(Deduplicator.class, new TextDeduplicator())
        .with(DepthResolver.class, new FairDepthResolver())
        .with(Scorer.class, new WeightedScorer())
        .with(Packer.class, new GreedyPacker())
        .with(Orderer.class, new CoherentOrderer())
        .with(Preamble.class, new PlainPreamble())
        .with(SkeletonCompressor.class, new NameSkeleton());
  }
}
