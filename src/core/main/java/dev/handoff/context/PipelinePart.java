package dev.handoff.context;

/// A replaceable part of the assembly pipeline; the permitted types are in execution order. Parts
/// are deterministic. Only the [StrategyExecutor] may wait.
public sealed interface PipelinePart
    permits StrategySelector,
        BudgetAllocator,
        StrategyExecutor,
        Deduplicator,
        DepthResolver,
        Scorer,
        Packer,
        Orderer,
        ContextPreamble,
        SkeletonCompressor {}
