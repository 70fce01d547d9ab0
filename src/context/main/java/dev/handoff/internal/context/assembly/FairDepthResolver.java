package dev.handoff.internal.context.assembly;

import dev.handoff.context.Fragment;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.SearchDepth;
import dev.handoff.context.TokenCounter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Creates one candidate per resource, at the deepest level within its fair part of the budget: 0.3
/// times its relevance. The packer deepens candidates if tokens remain.
final class FairDepthResolver implements PipelinePart.DepthResolver {

  private static final double MOST = 0.3;

  /// Practical upper bound of characters per token. Longer texts skip the expensive token count.
  private static final int LETTERS_A_TOKEN = 12;

  @Override
  public List<Candidate> resolve(List<Fragment.Found> found, int pool, TokenCounter tokens) {
    var resources = new LinkedHashMap<String, Fragment.Found>();
    found.forEach(one -> resources.merge(one.fragment().resource(), one, FairDepthResolver::merge));
    return resources.values().stream().map(one -> candidate(one, pool, tokens)).toList();
  }

  private static Fragment.Found merge(Fragment.Found one, Fragment.Found other) {
    var best = relevance(other) > relevance(one) ? other : one;
    var rest = best == one ? other : one;
    var texts = new TreeMap<>(rest.fragment().texts());
    texts.putAll(best.fragment().texts());
    return new Fragment.Found(with(best.fragment(), texts), best.by()).and(rest);
  }

  private static double relevance(Fragment.Found found) {
    return found.fragment().relevance();
  }

  private static Fragment with(Fragment fragment, NavigableMap<SearchDepth, String> texts) {
    return new Fragment(
        fragment.resource(),
        fragment.strategy(),
        texts,
        fragment.relevance(),
        fragment.quality(),
        fragment.modified(),
        fragment.because());
  }

  private static Candidate candidate(Fragment.Found found, int pool, TokenCounter tokens) {
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
