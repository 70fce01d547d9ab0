package dev.handoff.internal.context.assembly;

import dev.handoff.context.ContextRequest;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.PipelineParts;
import dev.handoff.context.TokenCounter;
import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.breaker.GuardedCalls;
import dev.handoff.internal.context.workspace.Workspaces;
import dev.handoff.internal.spi.AssembleContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.stream.Materializer;

/// Factory of the actor that answers requests for contexts, [AssembleContext]. The actor is
/// [AssemblerActor].
public final class Assembler {

  /// Strategies and pipeline parts of an assembler.
  ///
  /// @param strategies all strategies, with valid and unique names
  /// @param parts global replacements of default parts
  /// @param projects replacements per project name
  public record Kit(
      List<PipelinePart.StrategySelector.Candidate> strategies,
      PipelineParts parts,
      Map<String, PipelineParts> projects) {

    /// Kit without strategies.
    public static final Kit NONE = new Kit(List.of(), PipelineParts.NONE, Map.of());

    public Kit {
      strategies = List.copyOf(strategies);
      projects = Map.copyOf(projects);
    }

    /// Effective parts: request over project over global over default.
    PipelineParts parts(ContextRequest request, PipelineParts defaults) {
      var project =
          request.project() == null ? PipelineParts.NONE : projects.get(request.project());
      return request
          .parts()
          .over(project == null ? PipelineParts.NONE : project)
          .over(parts)
          .over(defaults);
    }
  }

  /// Dependencies of an assembly.
  ///
  /// @param tokens token counter, loaded in the background
  record Environment(
      AssemblySettings settings,
      Kit kit,
      PipelineParts defaults,
      ActorRef<Workspaces.Command> workspaces,
      CompletionStage<TokenCounter> tokens,
      Materializer materializer) {}

  public static Behavior<AssembleContext> create(
      AssemblySettings settings,
      Kit kit,
      ActorRef<Workspaces.Command> workspaces,
      GuardedCalls calls) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(Assembler.class);
          var materializer = Materializer.createMaterializer(context);
          var executor = new ParallelExecutor(calls, settings, materializer);
          var tokens =
              CompletableFuture.supplyAsync(
                  () -> TokenCounters.of(settings.encoding()),
                  work -> Thread.ofPlatform().daemon().name("handoff-tokens").start(work));
          return new AssemblerActor(
              context,
              new Environment(
                  settings, kit, DefaultParts.with(executor), workspaces, tokens, materializer));
        });
  }

  private Assembler() {}
}
