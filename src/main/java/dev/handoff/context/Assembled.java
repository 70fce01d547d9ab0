package dev.handoff.context;

import java.util.List;

/// A context, and how it came to be.
///
/// @param budget the tokens that there were for it
/// @param totalTokens what the fragments take; with the preamble never more than the budget
/// @param fragments in the order in which they should be read
/// @param preamble where it comes from and what is missing
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

  /// The whole of it, as it is given to a model.
  public String text() {
    var text = new StringBuilder(preamble);
    fragments.forEach(one -> text.append(one.shown()));
    return text.toString();
  }
}
