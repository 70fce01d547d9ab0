package dev.handoff.context.assembly;

import dev.handoff.context.Deduplicator;
import dev.handoff.context.Found;
import dev.handoff.context.Fragment;
import dev.handoff.context.Sifted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Fragments of one resource with the same text at their deepest are one: the most relevant of them
/// stays, and remembers who else has found it.
final class TextDeduplicator implements Deduplicator {

  private record Same(String resource, String text) {
    static Same of(Fragment fragment) {
      var texts = fragment.texts();
      return new Same(fragment.resource(), texts.get(texts.lastKey()));
    }
  }

  @Override
  public Sifted<Found> deduplicate(List<Found> found) {
    var kept = new LinkedHashMap<Same, Found>();
    var leftOut = new ArrayList<Sifted.LeftOut>();
    for (var one : found) {
      var same = Same.of(one.fragment());
      var other = kept.putIfAbsent(same, one);
      if (other != null) {
        var best = better(other, one) ? one : other;
        var lesser = best == one ? other : one;
        kept.put(same, best.and(lesser));
        leftOut.add(
            new Sifted.LeftOut(
                same.resource(),
                lesser.fragment().strategy(),
                "the same as what " + best.fragment().strategy() + " found"));
      }
    }
    return new Sifted<>(List.copyOf(kept.values()), leftOut);
  }

  private static boolean better(Found old, Found other) {
    return other.fragment().relevance() > old.fragment().relevance();
  }
}
