package dev.handoff.context;

/// A resource as it stands in a context.
///
/// @param resource its name
/// @param strategy the one that found it, or thought most of it
/// @param depth how much of it is shown
/// @param tokens what it takes of the budget, its heading included
/// @param score what it was packed by
public record ContextFragment(
    String resource, String strategy, Depth depth, int tokens, double score, String text) {

  /// With its heading, as it stands in the text of the context.
  public String shown() {
    return shown(resource, depth, text);
  }

  /// How a text of a resource stands in a context.
  public static String shown(String resource, Depth depth, String text) {
    return depth == Depth.NAME
        ? "== %s (%s)\n\n".formatted(resource, depth.words())
        : "== %s (%s)\n%s\n\n".formatted(resource, depth.words(), text.strip());
  }
}
