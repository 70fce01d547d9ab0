package dev.handoff.internal.context.assembly;

import dev.handoff.context.PipelinePart;
import dev.handoff.context.PipelineParts;

/// Default pipeline parts.
final class DefaultParts {

  private DefaultParts() {}

  static PipelineParts with(PipelinePart.StrategyExecutor executor) {
    return PipelineParts.NONE
        .with(PipelinePart.StrategySelector.class, new ConfidentSelector())
        .with(PipelinePart.BudgetAllocator.class, new ProportionalAllocator())
        .with(PipelinePart.StrategyExecutor.class, executor)
        .with(PipelinePart.Deduplicator.class, new TextDeduplicator())
        .with(PipelinePart.DepthResolver.class, new FairDepthResolver())
        .with(PipelinePart.Scorer.class, new WeightedScorer())
        .with(PipelinePart.Packer.class, new GreedyPacker())
        .with(PipelinePart.Orderer.class, new CoherentOrderer())
        .with(PipelinePart.ContextPreamble.class, new PlainPreamble())
        .with(PipelinePart.SkeletonCompressor.class, new NameSkeleton());
  }
}
