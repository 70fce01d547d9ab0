package dev.handoff.context;

import java.util.List;

/// Pipeline part that merges fragments with equal content.
@FunctionalInterface
public non-sealed interface Deduplicator extends PipelinePart {
  PartResult<FoundFragment> deduplicate(List<FoundFragment> found);
}
