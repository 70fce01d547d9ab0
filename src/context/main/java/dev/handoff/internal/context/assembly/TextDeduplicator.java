package dev.handoff.internal.context.assembly;

import dev.handoff.context.Fragment;
import dev.handoff.context.PipelinePart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Merges fragments of one resource whose deepest texts are equal. The most relevant fragment stays
/// and lists all finding strategies.
final class TextDeduplicator implements PipelinePart.Deduplicator {

  private record Same(String resource, String text) {
    static Same of(Fragment fragment) {
      var texts = fragment.texts();
      return new Same(fragment.resource(), texts.get(texts.lastKey()));
    }
  }

  @Override
  public PipelinePart.Result<Fragment.Found> deduplicate(List<Fragment.Found> found) {
    var kept = new LinkedHashMap<Same, Fragment.Found>();
    var leftOut = new ArrayList<PipelinePart.Result.LeftOut>();
    for (var one : found) {
      var same = Same.of(one.fragment());
      var other = kept.putIfAbsent(same, one);
      if (other != null) {
        var best = better(other, one) ? one : other;
        var lesser = best == one ? other : one;
        kept.put(same, best.and(lesser));
        leftOut.add(
            new PipelinePart.Result.LeftOut(
                same.resource(),
                lesser.fragment().strategy(),
                "the same as what " + best.fragment().strategy() + " found"));
      }
    }
    return new PipelinePart.Result<>(List.copyOf(kept.values()), leftOut);
  }

  private static boolean better(Fragment.Found old, Fragment.Found other) {
    return other.fragment().relevance() > old.fragment().relevance();
  }
}
