package dev.handoff.internal.context.assembly;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.Strategy;
import dev.handoff.context.TokenCounter;
import dev.handoff.context.WorkspaceView;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Input of the pipeline for one request.
///
/// @param known all registered strategies
/// @param tokens token counter; not thread-safe
record AssemblyInput(
    ContextRequest request,
    List<PipelinePart.StrategySelector.Candidate> known,
    WorkspaceView workspace,
    TokenCounter tokens,
    CancellationToken stop) {

  private static final int LONGEST_PREAMBLE = 300;

  Set<ContextRequest.Backend> backends() {
    return backends(request, workspace);
  }

  private static Set<ContextRequest.Backend> backends(
      ContextRequest request, WorkspaceView workspace) {
    var there = EnumSet.of(ContextRequest.Backend.FILES);
    if (workspace.hasGit()) {
      there.add(ContextRequest.Backend.GIT);
    }
    if (request.plan() != null) {
      there.add(ContextRequest.Backend.PLAN);
    }
    return there;
  }

  /// Message about a required but missing backend; empty if none is missing.
  static Optional<String> missing(ContextRequest request, WorkspaceView workspace) {
    var there = backends(request, workspace);
    return request.required().stream()
        .filter(one -> !there.contains(one))
        .sorted()
        .findFirst()
        .map(
            one ->
                "backend %s is required, and is not there; there is %s"
                    .formatted(one, words(there)));
  }

  private static String words(Set<ContextRequest.Backend> backends) {
    return backends.stream().map(ContextRequest.Backend::name).collect(Collectors.joining(", "));
  }

  List<Strategy> strategies() {
    return known.stream().map(PipelinePart.StrategySelector.Candidate::strategy).toList();
  }

  int pool() {
    return request.sharedBudget().pool();
  }

  /// Token limit of the preamble.
  int preamble() {
    return Math.min(LONGEST_PREAMBLE, pool() / 10);
  }

  /// Rest of the pool after this number of tokens.
  int room(int taken) {
    return pool() - taken;
  }
}
