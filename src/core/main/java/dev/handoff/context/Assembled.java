package dev.handoff.context;

import java.time.Duration;
import java.util.List;

/// An assembled context with the report of its assembly.
///
/// @param budget token budget of the context
/// @param totalTokens tokens of fragments and preamble; never above the budget
/// @param fragments in reading order
/// @param preamble names the contributing strategies and the gaps
public record Assembled(
    int budget, int totalTokens, List<ContextFragment> fragments, String preamble, Report report)
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

  /// Record of one assembly: results of the strategies, scores of the fragments, omissions with
  /// their reasons.
  ///
  /// @param pool token limit of all fragments
  /// @param strategies chosen strategies in the order of choice, then the others
  /// @param scores of all found fragments, best first
  /// @param notes other remarks, such as unreadable files
  /// @param preambleTokens tokens of the preamble, outside the pool
  public record Report(
      int pool,
      List<StrategyReport> strategies,
      List<ScoreReport> scores,
      List<PipelinePart.Result.LeftOut> leftOut,
      List<String> notes,
      int preambleTokens,
      Duration took) {

    /// Empty report.
    public static final Report NONE =
        new Report(0, List.of(), List.of(), List.of(), List.of(), 0, Duration.ZERO);

    public Report {
      strategies = List.copyOf(strategies);
      scores = List.copyOf(scores);
      leftOut = List.copyOf(leftOut);
      notes = List.copyOf(notes);
    }

    /// @param share tokens allocated to the strategy
    /// @param fragments number of fragments found
    /// @param packed number of its fragments in the context
    /// @param tokens size of its packed fragments
    /// @param detail error text or reason for skipping; otherwise empty
    public record StrategyReport(
        String name,
        PipelinePart.StrategyExecutor.Outcome outcome,
        double confidence,
        int share,
        Duration took,
        int fragments,
        int packed,
        int tokens,
        String detail) {}

    /// @param because reason of the match
    public record ScoreReport(
        String resource, String strategy, PipelinePart.Scorer.Score score, String because) {}

    /// Whether every chosen strategy completed without error, time-out or rejection.
    public boolean isComplete() {
      return strategies.stream()
          .allMatch(
              one ->
                  one.outcome().isFine()
                      || one.outcome() == PipelinePart.StrategyExecutor.Outcome.SKIPPED);
    }
  }
}
