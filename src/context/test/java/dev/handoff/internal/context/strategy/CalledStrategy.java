package dev.handoff.internal.context.strategy;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import dev.handoff.context.WorkspaceView;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/// Strategy call of a test, which answers for other strategies.
record CalledStrategy(
    ContextRequest request,
    WorkspaceView workspace,
    CancellationToken cancellation,
    BiFunction<ContextRequest, Set<String>, CompletionStage<List<Fragment>>> others)
    implements StrategyCall {

  @Override
  public int share() {
    return request.budget().pool();
  }

  @Override
  public CompletionStage<List<Fragment>> ask(ContextRequest asked, Set<String> strategies) {
    return others.apply(asked, strategies);
  }

  static List<Fragment> gather(Strategy strategy, StrategyCall call) {
    try {
      return strategy.gather(call).toCompletableFuture().join();
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  static List<String> resources(List<Fragment> fragments) {
    return fragments.stream().map(Fragment::resource).toList();
  }
}
