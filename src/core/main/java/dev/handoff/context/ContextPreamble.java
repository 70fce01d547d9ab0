package dev.handoff.context;

/// Pipeline part that writes the head of a context: contributing strategies and gaps.
@FunctionalInterface
public non-sealed interface ContextPreamble extends PipelinePart {

  /// @param most token limit; the result is empty if the text does not fit
  String write(AssemblyReport report, int most, TokenCounter tokens);
}
