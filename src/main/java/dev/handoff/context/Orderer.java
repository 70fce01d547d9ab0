package dev.handoff.context;

import java.util.List;

/// Says what comes first.
@FunctionalInterface
public non-sealed interface Orderer extends Part {
  List<ContextFragment> order(List<ContextFragment> packed);
}
