package dev.handoff.internal.context.assembly;

import dev.handoff.context.ContextFragment;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.SearchDepth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/// Orders fragments by score and groups them by directory. Name-only fragments come last.
final class CoherentOrderer implements PipelinePart.Orderer {

  @Override
  public List<ContextFragment> order(List<ContextFragment> packed) {
    var best =
        Comparator.comparingDouble((ContextFragment one) -> -one.score())
            .thenComparing(ContextFragment::resource);
    var texts = new LinkedHashMap<String, List<ContextFragment>>();
    var names = new ArrayList<ContextFragment>();
    for (var one : packed.stream().sorted(best).toList()) {
      if (one.depth() == SearchDepth.NAME) {
        names.add(one);
      } else {
        texts.computeIfAbsent(directory(one.resource()), none -> new ArrayList<>()).add(one);
      }
    }
    var ordered = new ArrayList<ContextFragment>();
    texts.values().forEach(ordered::addAll);
    ordered.addAll(names);
    return List.copyOf(ordered);
  }

  private static String directory(String resource) {
    return resource.substring(0, Math.max(0, resource.lastIndexOf('/')));
  }
}
