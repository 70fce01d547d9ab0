package dev.handoff.context.assembly;

import dev.handoff.context.Depth;
import dev.handoff.context.DepthResolver;
import dev.handoff.context.Found;
import dev.handoff.context.Fragment;
import dev.handoff.context.TokenCounter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/// One candidate for a resource, at the deepest depth that takes no more than its fair part of the
/// budget: three tenths for the most relevant, less for others. What is then left makes them deeper
/// when they are packed.
final class FairDepthResolver implements DepthResolver {

  private static final double MOST = 0.3;

  /// No text has fewer tokens for its length, as good as ever.
  private static final int LETTERS_A_TOKEN = 12;

  @Override
  public List<Candidate> resolve(List<Found> found, int pool, TokenCounter tokens) {
    var resources = new LinkedHashMap<String, Found>();
    found.forEach(one -> resources.merge(one.fragment().resource(), one, FairDepthResolver::merge));
    return resources.values().stream().map(one -> candidate(one, pool, tokens)).toList();
  }

  private static Found merge(Found one, Found other) {
    var best = relevance(other) > relevance(one) ? other : one;
    var rest = best == one ? other : one;
    var texts = new TreeMap<>(rest.fragment().texts());
    texts.putAll(best.fragment().texts());
    return new Found(with(best.fragment(), texts), best.by()).and(rest);
  }

  private static double relevance(Found found) {
    return found.fragment().relevance();
  }

  private static Fragment with(Fragment fragment, NavigableMap<Depth, String> texts) {
    return new Fragment(
        fragment.resource(),
        fragment.strategy(),
        texts,
        fragment.relevance(),
        fragment.quality(),
        fragment.modified(),
        fragment.because());
  }

  private static Candidate candidate(Found found, int pool, TokenCounter tokens) {
    double most = pool * MOST * relevance(found);
    var texts = found.fragment().texts();
    var depth =
        texts.keySet().stream()
            .sorted(Comparator.reverseOrder())
            .filter(deep -> fits(texts.get(deep), most, tokens))
            .findFirst()
            .orElse(texts.firstKey());
    return new Candidate(found, depth);
  }

  private static boolean fits(String text, double most, TokenCounter tokens) {
    return text.length() / LETTERS_A_TOKEN <= most && tokens.count(text) <= most;
  }
}
