package dev.handoff.context;

import java.util.List;

/// Pipeline part that decides the reading order of the fragments.
@FunctionalInterface
public non-sealed interface Orderer extends PipelinePart {
  List<ContextFragment> order(List<ContextFragment> packed);
}
