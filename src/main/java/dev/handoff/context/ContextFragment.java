package dev.handoff.context;

import java.util.regex.Pattern;

/// A resource as it stands in a context.
///
/// @param resource its name
/// @param strategy the one that found it, or thought most of it
/// @param depth how much of it is shown
/// @param tokens what it takes of the budget, its heading included
/// @param score what it was packed by
public record ContextFragment(
    String resource, String strategy, Depth depth, int tokens, double score, String text) {

  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\u2028\u2029]");

  /// With its heading, as it stands in the text of the context.
  public String shown() {
    return shown(resource, depth, text);
  }

  /// How a text of a resource stands in a context. The name of a resource is one line, whatever is
  /// in it; a summary that begins with it does not say it again.
  public static String shown(String resource, Depth depth, String text) {
    var heading =
        "== %s (%s)\n".formatted(CONTROL.matcher(resource).replaceAll("?"), depth.words());
    var prefix = resource + ": ";
    var body = text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    return depth == Depth.NAME || body.equals(resource)
        ? heading + "\n"
        : heading + body.strip() + "\n\n";
  }
}
