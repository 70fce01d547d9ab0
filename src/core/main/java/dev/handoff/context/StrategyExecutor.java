package dev.handoff.context;

import dev.handoff.cancel.CancellationToken;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/// Pipeline part that runs the chosen strategies in parallel.
@FunctionalInterface
public non-sealed interface StrategyExecutor extends PipelinePart {

  /// @return one run per share, in the order of the shares; the stage never fails
  CompletionStage<List<StrategyRun>> execute(Work work);

  /// @param others strategies available to [StrategyCall#ask]
  /// @param stop cancelled with the request
  record Work(
      ContextRequest request,
      List<BudgetAllocator.Share> shares,
      List<Strategy> others,
      WorkspaceView workspace,
      CancellationToken stop) {
    public Work {
      shares = List.copyOf(shares);
      others = List.copyOf(others);
    }
  }

  /// Result of one strategy.
  ///
  /// @param detail error text or warning; otherwise empty
  record StrategyRun(
      BudgetAllocator.Share share,
      Outcome outcome,
      Duration took,
      List<Fragment> fragments,
      String detail) {
    public StrategyRun {
      fragments = List.copyOf(fragments);
    }
  }

  /// Outcome of a strategy.
  enum Outcome {
    /// Completed with fragments.
    FOUND("found"),
    /// Completed without fragments.
    NOTHING("nothing"),
    FAILED("failed"),
    TIMED_OUT("timed out"),
    /// Rejected by an open breaker.
    REJECTED("rejected"),
    /// Stopped by a cancel of the request.
    STOPPED("stopped"),
    /// Not called.
    SKIPPED("skipped");

    private final String label;

    Outcome(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }

    /// Whether the strategy completed normally.
    public boolean isFine() {
      return this == FOUND || this == NOTHING;
    }
  }
}
