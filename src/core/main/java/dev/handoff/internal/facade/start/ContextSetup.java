package dev.handoff.internal.facade.start;

import dev.handoff.InvalidRequestException;
import dev.handoff.context.Embedder;
import dev.handoff.context.PipelineParts;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategySelector;
import dev.handoff.internal.context.assembly.Assembler;
import dev.handoff.internal.context.strategy.BuiltInStrategies;
import dev.handoff.internal.context.workspace.HashedEmbedder;
import dev.handoff.internal.engine.Engine;
import dev.handoff.internal.facade.SubmissionRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Settings of the context assembly from the builder. Immutable.
///
/// @param own user's strategies, besides the built-in ones
/// @param embedder embedder of the user; null = the default one
record ContextSetup(
    List<Strategy> own,
    PipelineParts parts,
    Map<String, PipelineParts> projects,
    @Nullable Embedder embedder) {

  static final ContextSetup NONE = new ContextSetup(List.of(), PipelineParts.NONE, Map.of(), null);

  ContextSetup {
    own = List.copyOf(own);
    projects = Map.copyOf(projects);
  }

  /// @throws InvalidRequestException if the strategy's name is not a valid name
  /// @throws IllegalStateException if a strategy with this name exists
  ContextSetup with(Strategy strategy) {
    SubmissionRules.checkName("strategy", strategy.name());
    if (all().stream().anyMatch(one -> one.name().equals(strategy.name()))) {
      throw new IllegalStateException("there is a strategy \"" + strategy.name() + "\" already");
    }
    var more = new ArrayList<>(own);
    more.add(strategy);
    return new ContextSetup(more, parts, projects, embedder);
  }

  ContextSetup with(PipelineParts others) {
    return new ContextSetup(own, others.over(parts), projects, embedder);
  }

  /// @throws InvalidRequestException if the project is not a valid name
  ContextSetup with(String project, PipelineParts others) {
    SubmissionRules.checkName("project", project);
    var more = new HashMap<>(projects);
    more.merge(project, others, (before, after) -> after.over(before));
    return new ContextSetup(own, parts, more, embedder);
  }

  ContextSetup with(Embedder other) {
    return new ContextSetup(own, parts, projects, other);
  }

  /// Context part of the engine. Built-in strategies are on if the configuration names them; the
  /// user's strategies are always on.
  ///
  /// @throws IllegalArgumentException if the configuration names an unknown strategy
  Engine.Contexts contexts(List<String> on, Optional<Path> beside) {
    return new Engine.Contexts(kit(on), embedder == null ? new HashedEmbedder() : embedder, beside);
  }

  private Assembler.Kit kit(List<String> on) {
    var known = new TreeSet<String>();
    all().forEach(one -> known.add(one.name()));
    for (var name : on) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "handoff.context.strategies: \"%s\" does not exist; known: %s"
                .formatted(name, String.join(", ", known)));
      }
    }
    var candidates =
        all().stream()
            .map(
                one ->
                    new StrategySelector.Candidate(
                        one, own.contains(one) || on.contains(one.name())))
            .toList();
    return new Assembler.Kit(candidates, parts, projects);
  }

  private List<Strategy> all() {
    return Stream.concat(BuiltInStrategies.all().stream(), own.stream()).toList();
  }
}
