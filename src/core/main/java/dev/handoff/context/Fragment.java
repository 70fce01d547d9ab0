package dev.handoff.context;

import dev.handoff.internal.text.SafeText;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A search result of one strategy.
///
/// @param resource resource name; fragments of one resource compete for one place
/// @param strategy name of the strategy
/// @param texts text per available depth; at least one
/// @param relevance to the request, relative to other results of the strategy, 0 to 1
/// @param quality expected value of such a resource regardless of the request, 0 to 1
/// @param modified last modification; null = unknown
/// @param because short reason of the match, for users
public record Fragment(
    String resource,
    String strategy,
    NavigableMap<SearchDepth, String> texts,
    double relevance,
    double quality,
    @Nullable Instant modified,
    String because) {

  public Fragment {
    Objects.requireNonNull(resource, "resource");
    Objects.requireNonNull(strategy, "strategy");
    Objects.requireNonNull(because, "because");
    if (texts.isEmpty()) {
      throw new IllegalArgumentException("fragment of \"%s\" has no text".formatted(resource));
    }
    require("relevance", relevance, resource);
    require("quality", quality, resource);
    texts = Collections.unmodifiableNavigableMap(new TreeMap<>(texts));
  }

  /// Fragment with a single depth.
  public static Fragment of(
      String resource, String strategy, SearchDepth depth, String text, double relevance) {
    var texts = new TreeMap<>(new EnumMap<>(Map.of(depth, text)));
    return new Fragment(resource, strategy, texts, relevance, 0.5, null, "");
  }

  /// Copy attributed to another strategy.
  public Fragment foundBy(String other) {
    return other.equals(strategy)
        ? this
        : new Fragment(resource, other, texts, relevance, quality, modified, because);
  }

  /// Copy without lone surrogates and NUL, which stored text must not contain.
  public Fragment clean() {
    if (SafeText.isClean(resource)
        && SafeText.isClean(because)
        && texts.values().stream().allMatch(SafeText::isClean)) {
      return this;
    }
    var clean = new TreeMap<SearchDepth, String>();
    texts.forEach((depth, text) -> clean.put(depth, SafeText.clean(text, text.length())));
    return new Fragment(
        SafeText.clean(resource, resource.length()),
        strategy,
        clean,
        relevance,
        quality,
        modified,
        SafeText.clean(because, because.length()));
  }

  private static void require(String what, double value, String resource) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(
          "%s of fragment \"%s\" must be 0 to 1, was %s".formatted(what, resource, value));
    }
  }

  /// A fragment and the strategies that found it.
  ///
  /// @param by relevance per strategy
  public record Found(Fragment fragment, SortedMap<String, Double> by) {

    public Found {
      by = Collections.unmodifiableSortedMap(new TreeMap<>(by));
    }

    public static Found of(Fragment fragment) {
      return new Found(fragment, new TreeMap<>(Map.of(fragment.strategy(), fragment.relevance())));
    }

    /// This fragment, attributed to the finding strategies of both.
    public Found and(Found other) {
      var all = new TreeMap<>(by);
      other.by.forEach((strategy, relevance) -> all.merge(strategy, relevance, Math::max));
      return new Found(fragment, all);
    }
  }
}
