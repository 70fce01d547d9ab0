package dev.handoff.context.assembly;

import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.Parts;
import dev.handoff.context.StrategySelector;
import dev.handoff.context.TokenCounter;
import dev.handoff.context.breaker.GuardedCalls;
import dev.handoff.context.workspace.Workspaces;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.stream.Materializer;

/// Takes requests for context: what it can be sent, and what it answers. The actor itself is
/// [AssemblerActor].
public final class Assembler {

  /// Messages accepted by an assembler. All of them are local to its node.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Asks for a context. Answered with [Answered] when it is there, or cannot be.
  ///
  /// @param stop cancels it
  public record Assemble(ContextRequest request, CancellationToken stop, ActorRef<Answered> replyTo)
      implements Command {}

  public record Answered(ContextAnswer answer) implements NoSerializationVerificationNeeded {}

  /// What contexts are made with.
  ///
  /// @param strategies all that there are; their names are names, and different
  /// @param parts those that replace the default ones everywhere
  /// @param projects those that replace them for a project, by its name
  public record Kit(
      List<StrategySelector.Candidate> strategies, Parts parts, Map<String, Parts> projects) {

    /// Without strategies.
    public static final Kit NONE = new Kit(List.of(), Parts.NONE, Map.of());

    public Kit {
      strategies = List.copyOf(strategies);
      projects = Map.copyOf(projects);
    }

    /// With the default parts, and what replaces them for a request.
    Parts parts(ContextRequest request, Parts defaults) {
      var project = request.project() == null ? Parts.NONE : projects.get(request.project());
      return request
          .parts()
          .over(project == null ? Parts.NONE : project)
          .over(parts)
          .over(defaults);
    }
  }

  /// What assemblies need.
  ///
  /// @param tokens loaded when they are first needed
  record Environment(
      AssemblySettings settings,
      Kit kit,
      Parts defaults,
      ActorRef<Workspaces.Command> workspaces,
      CompletionStage<TokenCounter> tokens,
      Materializer materializer) {}

  public static Behavior<Command> create(
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
                  () -> Counters.of(settings.encoding()),
                  work -> Thread.ofPlatform().daemon().name("handoff-tokens").start(work));
          return new AssemblerActor(
              context,
              new Environment(
                  settings, kit, DefaultParts.with(executor), workspaces, tokens, materializer));
        });
  }

  private Assembler() {}
}
