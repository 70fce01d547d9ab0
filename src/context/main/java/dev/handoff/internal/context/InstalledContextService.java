package dev.handoff.internal.context;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import dev.handoff.context.Embedder;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.Strategy;
import dev.handoff.internal.context.assembly.Assembler;
import dev.handoff.internal.context.assembly.AssemblySettings;
import dev.handoff.internal.context.strategy.BuiltInStrategies;
import dev.handoff.internal.context.workspace.HashedEmbedder;
import dev.handoff.internal.context.workspace.WorkspaceSettings;
import dev.handoff.internal.context.workspace.Workspaces;
import dev.handoff.internal.spi.AssembleContext;
import dev.handoff.internal.spi.ContextAssembly;
import dev.handoff.internal.spi.ContextChoices;
import dev.handoff.internal.spi.ContextHost;
import dev.handoff.internal.spi.ContextService;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;

/// Context assembly with the pipeline, strategies and workspaces of this module.
public final class InstalledContextService implements ContextService {

  private final List<Strategy> builtIn = BuiltInStrategies.all();

  @Override
  public Set<String> strategies() {
    return builtIn.stream().map(Strategy::name).collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public ContextAssembly read(Config handoff, ContextChoices choices, Optional<Path> beside) {
    try {
      var workspaces = WorkspaceSettings.from(handoff);
      var assembly = AssemblySettings.from(handoff.getConfig("context"));
      return new Settings(
          workspaces, assembly, kit(assembly.strategies(), choices), embedder(choices), beside);
    } catch (ConfigException unreadable) {
      throw new IllegalArgumentException(unreadable.getMessage(), unreadable);
    }
  }

  private static Embedder embedder(ContextChoices choices) {
    return choices.embedder() == null ? new HashedEmbedder() : choices.embedder();
  }

  /// Strategies and parts. Built-in strategies are on if the configuration names them; those of the
  /// program are always on.
  private Assembler.Kit kit(List<String> on, ContextChoices choices) {
    var own = choices.strategies();
    var all = Stream.concat(builtIn.stream(), own.stream()).toList();
    var known = new TreeSet<String>();
    all.forEach(one -> known.add(one.name()));
    for (var name : on) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "handoff.context.strategies: \"%s\" does not exist; known: %s"
                .formatted(name, String.join(", ", known)));
      }
    }
    var candidates =
        all.stream()
            .map(
                one ->
                    new PipelinePart.StrategySelector.Candidate(
                        one, own.contains(one) || on.contains(one.name())))
            .toList();
    return new Assembler.Kit(candidates, choices.parts(), choices.projects());
  }

  private record Settings(
      WorkspaceSettings workspaces,
      AssemblySettings assembly,
      Assembler.Kit kit,
      Embedder embedder,
      Optional<Path> beside)
      implements ContextAssembly {

    @Override
    public ActorRef<AssembleContext> start(ContextHost host) {
      var registry =
          host.parts()
              .start(
                  Workspaces.create(
                      new Workspaces.Environment(workspaces, embedder, beside, host.clock())),
                  "workspaces");
      return host.parts()
          .start(Assembler.create(assembly, kit, registry, host.calls()), "assembler");
    }
  }
}
