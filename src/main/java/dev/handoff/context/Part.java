package dev.handoff.context;

/// A replaceable part of the pipeline that makes a context; in the order in which they work. Each
/// gives the same for the same, and waits for nothing but the strategies.
public sealed interface Part
    permits StrategySelector,
        BudgetAllocator,
        StrategyExecutor,
        Deduplicator,
        DepthResolver,
        Scorer,
        Packer,
        Orderer,
        Preamble,
        SkeletonCompressor {}
