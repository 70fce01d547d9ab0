package dev.handoff.context.workspace;

import dev.handoff.actor.FatalErrorGuard;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;

/// The directories that are indexed: what they can be sent, and how they are made. The actor itself
/// is [WorkspacesActor].
public final class Workspaces {

  /// Where their indexes are kept that belong to a store.
  public static Path beside(Path store) {
    return store.resolve("context");
  }

  /// Messages accepted by the workspaces.
  public sealed interface Command {}

  /// Gives a view of a directory as it is now, or was a moment ago. Whoever asks for it closes it.
  ///
  /// @param root any path to it
  public record Open(Path root, ActorRef<Reply> replyTo)
      implements Command, NoSerializationVerificationNeeded {}

  public sealed interface Reply extends NoSerializationVerificationNeeded {}

  public record Opened(WorkspaceView view) implements Reply {}

  /// @param reason the directory, why not, and what to do
  public record Refused(String reason) implements Reply {}

  /// A root has been looked at.
  ///
  /// @param refusal why it cannot be indexed; null if it can
  record Looked(Path root, @Nullable String refusal, ActorRef<Reply> replyTo)
      implements Command, NoSerializationVerificationNeeded {}

  /// A view has been refused or closed. Idempotent.
  record Settled(Path root, long view) implements Command, NoSerializationVerificationNeeded {}

  /// @param beside the directory of the file store, which is never indexed; indexes are kept in it
  ///   unless the settings name another place. Empty = there is none
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
