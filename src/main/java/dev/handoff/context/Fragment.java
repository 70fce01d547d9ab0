package dev.handoff.context;

import dev.handoff.job.Text;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a strategy found: a resource, in one or more depths.
///
/// @param resource its name; for a file its path from the root of the workspace, with slashes
/// @param strategy who found it
/// @param texts what it looks like at each depth that it can be shown at; at least one
/// @param relevance for the request, 0 to 1, beside what the same strategy found
/// @param quality how much is to be expected of such a resource, whatever the request, 0 to 1
/// @param modified when it was changed last; null = not known
/// @param because why it was found, in a few words for whoever wants to know
public record Fragment(
    String resource,
    String strategy,
    NavigableMap<Depth, String> texts,
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

  /// One text at one depth.
  public static Fragment of(
      String resource, String strategy, Depth depth, String text, double relevance) {
    var texts = new TreeMap<>(new EnumMap<>(Map.of(depth, text)));
    return new Fragment(resource, strategy, texts, relevance, 0.5, null, "");
  }

  /// The same, found by another one.
  public Fragment foundBy(String other) {
    return other.equals(strategy)
        ? this
        : new Fragment(resource, other, texts, relevance, quality, modified, because);
  }

  /// The same without what no text may have: lone surrogates and NUL.
  public Fragment clean() {
    if (Text.isClean(resource)
        && Text.isClean(because)
        && texts.values().stream().allMatch(Text::isClean)) {
      return this;
    }
    var clean = new TreeMap<Depth, String>();
    texts.forEach((depth, text) -> clean.put(depth, Text.clean(text, text.length())));
    return new Fragment(
        Text.clean(resource, resource.length()),
        strategy,
        clean,
        relevance,
        quality,
        modified,
        Text.clean(because, because.length()));
  }

  private static void require(String what, double value, String resource) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(
          "%s of fragment \"%s\" must be 0 to 1, was %s".formatted(what, resource, value));
    }
  }
}
