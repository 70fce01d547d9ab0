package dev.handoff.context;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.workspace.WorkspaceView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/// Lets the chosen strategies look, in parallel.
@FunctionalInterface
public non-sealed interface StrategyExecutor extends Part {

  /// @return a run for each share, in their order; the stage does not fail
  CompletionStage<List<StrategyRun>> execute(Work work);

  /// @param others every strategy that one of them may ask
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

  /// How it went for one strategy.
  ///
  /// @param detail what went wrong, or was noticed; empty if nothing
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

  /// How a strategy's part in a context ended.
  enum Outcome {
    /// It found something.
    FOUND("found"),
    /// It looked, and found nothing.
    NOTHING("nothing"),
    FAILED("failed"),
    TIMED_OUT("timed out"),
    /// Its breaker is open.
    REJECTED("rejected"),
    /// The request was cancelled.
    STOPPED("stopped"),
    /// It was not asked.
    SKIPPED("skipped");

    private final String label;

    Outcome(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }

    /// Whether it had its say.
    public boolean isFine() {
      return this == FOUND || this == NOTHING;
    }
  }
}
