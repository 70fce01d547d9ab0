package dev.handoff.context;

import java.util.List;

/// An assembled context with the report of its assembly.
///
/// @param budget token budget of the context
/// @param totalTokens tokens of fragments and preamble; never above the budget
/// @param fragments in reading order
/// @param preamble names the contributing strategies and the gaps
public record Assembled(
    int budget,
    int totalTokens,
    List<ContextFragment> fragments,
    String preamble,
    AssemblyReport report)
    implements ContextAnswer {

  public Assembled {
    fragments = List.copyOf(fragments);
  }

  /// Full text for a model: the preamble, then every fragment.
  public String text() {
    var text = new StringBuilder(preamble);
    fragments.forEach(one -> text.append(one.shown()));
    return text.toString();
  }
}
