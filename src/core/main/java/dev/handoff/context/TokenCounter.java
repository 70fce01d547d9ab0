package dev.handoff.context;

/// Counts the tokens of a text with a model's tokenizer.
@FunctionalInterface
public interface TokenCounter {
  int count(String text);
}
