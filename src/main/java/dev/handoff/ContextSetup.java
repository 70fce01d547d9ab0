package dev.handoff;

import dev.handoff.context.Parts;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategySelector;
import dev.handoff.context.assembly.Assembler;
import dev.handoff.context.strategy.BuiltInStrategies;
import dev.handoff.context.workspace.Embedder;
import dev.handoff.context.workspace.HashedEmbedder;
import dev.handoff.engine.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What an engine's user has said about the assembling of contexts. Immutable.
///
/// @param own strategies beside the built-in ones
/// @param embedder null = the default one
record ContextSetup(
    List<Strategy> own, Parts parts, Map<String, Parts> projects, @Nullable Embedder embedder) {

  static final ContextSetup NONE = new ContextSetup(List.of(), Parts.NONE, Map.of(), null);

  ContextSetup {
    own = List.copyOf(own);
    projects = Map.copyOf(projects);
  }

  /// @throws InvalidRequestException if its name is not a name
  /// @throws IllegalStateException if there is one of its name
  ContextSetup with(Strategy strategy) {
    Rules.checkName("strategy", strategy.name());
    if (all().stream().anyMatch(one -> one.name().equals(strategy.name()))) {
      throw new IllegalStateException("there is a strategy \"" + strategy.name() + "\" already");
    }
    var more = new ArrayList<>(own);
    more.add(strategy);
    return new ContextSetup(more, parts, projects, embedder);
  }

  ContextSetup with(Parts others) {
    return new ContextSetup(own, others.over(parts), projects, embedder);
  }

  /// @throws InvalidRequestException if the project's name is not a name
  ContextSetup with(String project, Parts others) {
    Rules.checkName("project", project);
    var more = new HashMap<>(projects);
    more.merge(project, others, (before, after) -> after.over(before));
    return new ContextSetup(own, parts, more, embedder);
  }

  ContextSetup with(Embedder other) {
    return new ContextSetup(own, parts, projects, other);
  }

  /// Built-in strategies are on if the configuration names them, the user's own always.
  ///
  /// @throws IllegalArgumentException if the configuration names one that there is not
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
