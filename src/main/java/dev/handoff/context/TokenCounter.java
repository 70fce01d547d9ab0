package dev.handoff.context;

/// Counts the tokens of a text, as a model would.
@FunctionalInterface
public interface TokenCounter {
  int count(String text);
}
