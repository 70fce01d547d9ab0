package dev.handoff.context;

/// Says, at the head of a context, where it comes from and what is missing.
@FunctionalInterface
public non-sealed interface Preamble extends Part {

  /// @param most tokens that it may take; empty if it does not fit
  String write(AssemblyReport report, int most, TokenCounter tokens);
}
