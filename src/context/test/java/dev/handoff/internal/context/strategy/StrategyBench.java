package dev.handoff.internal.context.strategy;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.Strategy;
import dev.handoff.context.WorkspaceView;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Calls strategies on a workspace; strategies can call each other.
final class StrategyBench {

  private final WorkspaceView view;
  private final CancellationSource stop = new CancellationSource();

  StrategyBench(WorkspaceView view) {
    this.view = view;
  }

  CancellationSource stop() {
    return stop;
  }

  static Strategy strategy(String name) {
    return BuiltInStrategies.all().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  ContextRequest request(String query) {
    return ContextRequest.of(query, view.root());
  }

  List<Fragment> gather(String name, String query) {
    return gather(strategy(name), request(query));
  }

  List<Fragment> gather(Strategy strategy, ContextRequest request) {
    return CalledStrategy.gather(
        strategy, new CalledStrategy(request, view, stop.token(), this::ask));
  }

  List<String> resources(String name, String query) {
    return CalledStrategy.resources(gather(name, query));
  }

  private CompletionStage<List<Fragment>> ask(ContextRequest request, Set<String> names) {
    var found =
        names.stream().sorted().flatMap(name -> gather(strategy(name), request).stream()).toList();
    return CompletableFuture.completedStage(found);
  }
}
