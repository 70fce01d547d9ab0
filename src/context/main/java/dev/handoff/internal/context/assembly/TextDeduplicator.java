package dev.handoff.internal.context.assembly;

import dev.handoff.context.Deduplicator;
import dev.handoff.context.FoundFragment;
import dev.handoff.context.Fragment;
import dev.handoff.context.PartResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Merges fragments of one resource whose deepest texts are equal. The most relevant fragment stays
/// and lists all finding strategies.
final class TextDeduplicator implements Deduplicator {

  private record Same(String resource, String text) {
    static Same of(Fragment fragment) {
      var texts = fragment.texts();
      return new Same(fragment.resource(), texts.get(texts.lastKey()));
    }
  }

  @Override
  public PartResult<FoundFragment> deduplicate(List<FoundFragment> found) {
    var kept = new LinkedHashMap<Same, FoundFragment>();
    var leftOut = new ArrayList<PartResult.LeftOut>();
    for (var one : found) {
      var same = Same.of(one.fragment());
      var other = kept.putIfAbsent(same, one);
      if (other != null) {
        var best = better(other, one) ? one : other;
        var lesser = best == one ? other : one;
        kept.put(same, best.and(lesser));
        leftOut.add(
            new PartResult.LeftOut(
                same.resource(),
                lesser.fragment().strategy(),
                "the same as what " + best.fragment().strategy() + " found"));
      }
    }
    return new PartResult<>(List.copyOf(kept.values()), leftOut);
  }

  private static boolean better(FoundFragment old, FoundFragment other) {
    return other.fragment().relevance() > old.fragment().relevance();
  }
}
