package dev.handoff.context;

import java.time.Duration;
import java.util.List;

/// How a context came to be: who looked, what each found and was given, what every fragment was
/// worth, and what was left out and why.
///
/// @param pool what the fragments could take
/// @param strategies in the order in which they were chosen, then those that were not
/// @param scores of everything that was found, the best first
/// @param notes what else there is to know, such as files that could not be read
/// @param preambleTokens what the preamble takes of the budget, beside the fragments
public record AssemblyReport(
    int pool,
    List<StrategyReport> strategies,
    List<ScoreReport> scores,
    List<Sifted.LeftOut> leftOut,
    List<String> notes,
    int preambleTokens,
    Duration took) {

  /// Nothing is known.
  public static final AssemblyReport NONE =
      new AssemblyReport(0, List.of(), List.of(), List.of(), List.of(), 0, Duration.ZERO);

  public AssemblyReport {
    strategies = List.copyOf(strategies);
    scores = List.copyOf(scores);
    leftOut = List.copyOf(leftOut);
    notes = List.copyOf(notes);
  }

  /// @param share the tokens that were meant for it
  /// @param fragments how many it found
  /// @param packed how many of them are in the context
  /// @param tokens what they take there
  /// @param detail what went wrong, or why it was not asked; empty if nothing
  public record StrategyReport(
      String name,
      StrategyExecutor.Outcome outcome,
      double confidence,
      int share,
      Duration took,
      int fragments,
      int packed,
      int tokens,
      String detail) {}

  /// @param because why it was found
  public record ScoreReport(String resource, String strategy, Scorer.Score score, String because) {}

  /// Whether every strategy that was chosen had its say.
  public boolean isComplete() {
    return strategies.stream()
        .allMatch(
            one -> one.outcome().isFine() || one.outcome() == StrategyExecutor.Outcome.SKIPPED);
  }
}
