package dev.handoff.internal.context.assembly;

import dev.handoff.Outcome;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.PipelinePart.BudgetAllocator.Share;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import dev.handoff.context.WorkspaceView;
import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.internal.ask.CallbackThreads;
import dev.handoff.internal.ask.PekkoStages;
import dev.handoff.internal.breaker.CallOutcome;
import dev.handoff.internal.breaker.GuardedCalls;
import dev.handoff.internal.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;

/// Runs strategies in parallel, each behind its own breaker, with a deadline, a token and its own
/// virtual thread. Failures stay isolated.
final class ParallelExecutor implements PipelinePart.StrategyExecutor {

  private final GuardedCalls calls;
  private final int maxParallel;
  private final Duration timeout;
  private final Materializer materializer;

  ParallelExecutor(GuardedCalls calls, AssemblySettings settings, Materializer materializer) {
    this.calls = calls;
    this.maxParallel = settings.maxParallel();
    this.timeout = settings.timeout();
    this.materializer = materializer;
  }

  @Override
  public CompletionStage<List<StrategyRun>> execute(Work work) {
    return PekkoStages.ours(
        Source.from(work.shares())
            .mapAsync(maxParallel, share -> run(share, work))
            .runWith(Sink.seq(), materializer));
  }

  private CompletionStage<StrategyRun> run(Share share, Work work) {
    var strategy = share.chosen().strategy();
    return call(strategy, work.request(), share.tokens(), work, work.stop(), Set.of())
        .thenApply(outcome -> run(share, outcome));
  }

  private CompletionStage<CallOutcome<StrategyResult>> call(
      Strategy strategy,
      ContextRequest request,
      int share,
      Work work,
      CancellationToken stop,
      Set<String> callers) {
    var given = request.timeout();
    return calls.call(
        strategy.name(),
        given == null ? timeout : given,
        stop,
        token -> {
          var found = strategy.gather(new Call(strategy, request, share, work, token, callers));
          if (found == null) {
            throw new IllegalStateException(
                "it returned null instead of a stage; a stage of an empty list means that nothing"
                    + " was found");
          }
          // Cancelling a dependent stage does not cancel its source, so the source is cancelled
          // explicitly.
          token.onCancel(why -> found.toCompletableFuture().cancel(true));
          return found.thenApplyAsync(
              fragments -> StrategyResult.of(strategy.name(), fragments), CallbackThreads.calls());
        });
  }

  private StrategyRun run(Share share, CallOutcome<StrategyResult> outcome) {
    return switch (outcome) {
      case CallOutcome.Returned<StrategyResult>(var found, var took) ->
          new StrategyRun(
              share,
              found.fragments().isEmpty() ? Outcome.NOTHING : Outcome.FOUND,
              took,
              found.fragments(),
              found.remark());
      case CallOutcome.Threw<StrategyResult>(var error, var took) ->
          none(share, Outcome.FAILED, took, error.type() + ": " + error.message());
      case CallOutcome.TimedOut<StrategyResult>(var after) ->
          none(share, Outcome.TIMED_OUT, after, "it took longer than " + Durations.exact(after));
      case CallOutcome.Rejected<StrategyResult>(var retryAt, var reason) ->
          none(
              share, Outcome.REJECTED, Duration.ZERO, reason + "; it is tried again at " + retryAt);
      case CallOutcome.Stopped<StrategyResult>(var why) ->
          none(share, Outcome.STOPPED, Duration.ZERO, why.reason());
      case CallOutcome.Refused<StrategyResult>(var reason) ->
          none(share, Outcome.FAILED, Duration.ZERO, reason);
    };
  }

  private static StrategyRun none(Share share, Outcome outcome, Duration took, String detail) {
    return new StrategyRun(share, outcome, took, List.of(), detail);
  }

  /// Input of one strategy call.
  private final class Call implements StrategyCall {

    private final ContextRequest request;
    private final int share;
    private final Work work;
    private final CancellationToken token;

    /// Strategies in the chain of [#ask] calls; they are not asked again, which prevents cycles.
    private final Set<String> callers;

    Call(
        Strategy strategy,
        ContextRequest request,
        int share,
        Work work,
        CancellationToken token,
        Set<String> callers) {
      this.request = request;
      this.share = share;
      this.work = work;
      this.token = token;
      this.callers =
          Stream.concat(callers.stream(), Stream.of(strategy.name()))
              .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public ContextRequest request() {
      return request;
    }

    @Override
    public WorkspaceView workspace() {
      return work.workspace();
    }

    @Override
    public int share() {
      return share;
    }

    @Override
    public CancellationToken cancellation() {
      return token;
    }

    @Override
    public CompletionStage<List<Fragment>> ask(ContextRequest changed, Set<String> strategies) {
      var asked =
          work.others().stream()
              .filter(one -> strategies.contains(one.name()) && !callers.contains(one.name()))
              .toList();
      return AnswerStage.of(
          PekkoStages.ours(
              Source.from(asked)
                  .mapAsync(maxParallel, one -> call(one, changed, share, work, token, callers))
                  .mapConcat(Call::fragments)
                  .runWith(Sink.seq(), materializer)));
    }

    private static List<Fragment> fragments(CallOutcome<StrategyResult> outcome) {
      return outcome instanceof CallOutcome.Returned<StrategyResult>(var found, var took)
          ? found.fragments()
          : List.of();
    }
  }
}
