package dev.handoff.internal.context.assembly;

import dev.handoff.context.BudgetAllocator;
import dev.handoff.context.ContextPreamble;
import dev.handoff.context.Deduplicator;
import dev.handoff.context.DepthResolver;
import dev.handoff.context.Orderer;
import dev.handoff.context.Packer;
import dev.handoff.context.PipelineParts;
import dev.handoff.context.Scorer;
import dev.handoff.context.SkeletonCompressor;
import dev.handoff.context.StrategyExecutor;
import dev.handoff.context.StrategySelector;

/// Default pipeline parts.
final class DefaultParts {

  private DefaultParts() {}

  static PipelineParts with(StrategyExecutor executor) {
    return PipelineParts.NONE
        .with(StrategySelector.class, new ConfidentSelector())
        .with(BudgetAllocator.class, new ProportionalAllocator())
        .with(StrategyExecutor.class, executor)
        .with(Deduplicator.class, new TextDeduplicator())
        .with(DepthResolver.class, new FairDepthResolver())
        .with(Scorer.class, new WeightedScorer())
        .with(Packer.class, new GreedyPacker())
        .with(Orderer.class, new CoherentOrderer())
        .with(ContextPreamble.class, new PlainPreamble())
        .with(SkeletonCompressor.class, new NameSkeleton());
  }
}
