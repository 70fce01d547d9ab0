package dev.handoff.internal.context.workspace;

import dev.handoff.context.Embedder;
import dev.handoff.context.WorkspaceView;
import dev.handoff.internal.actor.FatalErrorGuard;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;

/// Protocol and factory of the workspace registry. The actor is [WorkspacesActor].
public final class Workspaces {

  /// Commands of the registry.
  public sealed interface Command {}

  /// Requests a view of a directory within the configured maximum age. The requester must close it.
  ///
  /// @param root any path to the directory
  public record Open(Path root, ActorRef<Reply> replyTo)
      implements Command, NoSerializationVerificationNeeded {}

  public sealed interface Reply extends NoSerializationVerificationNeeded {}

  public record Opened(WorkspaceView view) implements Reply {}

  /// @param reason names the directory, the problem and a remedy
  public record Refused(String reason) implements Reply {}

  /// Result of checking a root.
  ///
  /// @param refusal reason for a refusal; null if accepted
  record Looked(Path root, @Nullable String refusal, ActorRef<Reply> replyTo)
      implements Command, NoSerializationVerificationNeeded {}

  /// A view was refused or closed. Idempotent.
  record Settled(Path root, long view) implements Command, NoSerializationVerificationNeeded {}

  /// @param beside directory of the file store: never indexed, default location of the indexes;
  ///   empty = no file store
  public record Environment(
      WorkspaceSettings settings, Embedder embedder, Optional<Path> beside, InstantSource clock) {}

  public static Behavior<Command> create(Environment environment) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(Workspaces.class);
          return new WorkspacesActor(context, environment);
        });
  }

  private Workspaces() {}
}
