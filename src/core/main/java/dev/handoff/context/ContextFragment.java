package dev.handoff.context;

import java.util.regex.Pattern;

/// A packed resource of a context.
///
/// @param resource resource name
/// @param strategy name of the strategy with the highest relevance for the resource
/// @param depth level of detail
/// @param tokens token count, including the heading
/// @param score total score at packing time
public record ContextFragment(
    String resource, String strategy, SearchDepth depth, int tokens, double score, String text) {

  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\u2028\u2029]");

  /// Text with its heading, as in the context.
  public String shown() {
    return shown(resource, depth, text);
  }

  /// Formats a resource for a context. The heading stays one line: control characters in the
  /// resource name become `?`. A summary that starts with the resource name loses this prefix.
  public static String shown(String resource, SearchDepth depth, String text) {
    var heading =
        "== %s (%s)\n".formatted(CONTROL.matcher(resource).replaceAll("?"), depth.words());
    var prefix = resource + ": ";
    var body = text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    return depth == SearchDepth.NAME || body.equals(resource)
        ? heading + "\n"
        : heading + body.strip() + "\n\n";
  }
}
