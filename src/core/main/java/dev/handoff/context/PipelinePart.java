package dev.handoff.context;

import dev.handoff.cancel.CancellationToken;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/// A replaceable part of the assembly pipeline; its kinds are in execution order. Parts are
/// deterministic. Only the [StrategyExecutor] may wait.
public sealed interface PipelinePart {

  /// Pipeline part that chooses the strategies for a request.
  @FunctionalInterface
  public non-sealed interface StrategySelector extends PipelinePart {

    /// @param known all registered strategies by name, including disabled strategies
    Selection select(
        ContextRequest request, List<Candidate> known, Set<ContextRequest.Backend> backends);

    /// A registered strategy.
    ///
    /// @param on whether requests use the strategy without naming it
    record Candidate(Strategy strategy, boolean on) {}

    /// A chosen strategy.
    record Chosen(Strategy strategy, double confidence) {}

    /// A strategy that was not chosen.
    record Skipped(String strategy, double confidence, String reason) {}

    /// @param chosen highest confidence first
    record Selection(List<Chosen> chosen, List<Skipped> skipped) {
      public Selection {
        chosen = List.copyOf(chosen);
        skipped = List.copyOf(skipped);
      }
    }
  }

  /// Pipeline part that divides the token pool among the strategies.
  @FunctionalInterface
  public non-sealed interface BudgetAllocator extends PipelinePart {

    /// @return a share per chosen strategy; the sum is at most the pool
    List<Share> allocate(int pool, List<StrategySelector.Chosen> chosen);

    /// Tokens reserved for a strategy. Its further fragments compete for unused shares of others.
    record Share(StrategySelector.Chosen chosen, int tokens) {}
  }

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

  /// Pipeline part that merges fragments with equal content.
  @FunctionalInterface
  public non-sealed interface Deduplicator extends PipelinePart {
    Result<Fragment.Found> deduplicate(List<Fragment.Found> found);
  }

  /// Pipeline part that reduces the fragments of each resource to one candidate and proposes its
  /// depth.
  @FunctionalInterface
  public non-sealed interface DepthResolver extends PipelinePart {
    List<Candidate> resolve(List<Fragment.Found> found, int pool, TokenCounter tokens);

    /// A resource that is eligible for the context.
    ///
    /// @param found the most relevant fragment, with the texts of all fragments per depth
    /// @param depth proposed depth
    record Candidate(Fragment.Found found, SearchDepth depth) {}
  }

  /// Pipeline part that scores the candidates.
  @FunctionalInterface
  public non-sealed interface Scorer extends PipelinePart {

    /// @param confidences per strategy name
    List<Scored> score(List<DepthResolver.Candidate> candidates, Map<String, Double> confidences);

    record Scored(DepthResolver.Candidate candidate, Score score) {}

    /// A total score and its components; each 0 to 1.
    record Score(double total, double relevance, double hierarchy, double quality, double recency) {
      public Score {
        require("total", total);
        require("relevance", relevance);
        require("hierarchy", hierarchy);
        require("quality", quality);
        require("recency", recency);
      }

      /// Rejects NaN and infinity only, because they break comparison. Rounding may raise a sum
      /// slightly above 1, which is harmless.
      private static void require(String what, double value) {
        if (!Double.isFinite(value)) {
          throw new IllegalArgumentException(
              "%s of a score must be a number, was %s".formatted(what, value));
        }
      }
    }
  }

  /// Pipeline part that selects the fragments. The selection never exceeds the pool.
  @FunctionalInterface
  public non-sealed interface Packer extends PipelinePart {

    /// @param shares per strategy name
    Result<ContextFragment> pack(
        List<Scorer.Scored> scored, Map<String, Integer> shares, int pool, TokenCounter tokens);
  }

  /// Pipeline part that decides the reading order of the fragments.
  @FunctionalInterface
  public non-sealed interface Orderer extends PipelinePart {
    List<ContextFragment> order(List<ContextFragment> packed);
  }

  /// Pipeline part that writes the head of a context: contributing strategies and gaps.
  @FunctionalInterface
  public non-sealed interface ContextPreamble extends PipelinePart {

    /// @param most token limit; the result is empty if the text does not fit
    String write(Assembled.Report report, int most, TokenCounter tokens);
  }

  /// Pipeline part that compresses the parent plan's context to names and single lines.
  @FunctionalInterface
  public non-sealed interface SkeletonCompressor extends PipelinePart {

    /// @param most token limit of the result
    List<ContextFragment> compress(List<ContextFragment> parent, int most, TokenCounter tokens);
  }

  /// Result of a pipeline part: kept items and omissions.
  public record Result<T>(List<T> kept, List<LeftOut> leftOut) {

    public Result {
      kept = List.copyOf(kept);
      leftOut = List.copyOf(leftOut);
    }

    /// An omitted resource with the reason.
    public record LeftOut(String resource, String strategy, String reason) {}
  }
}
