package dev.handoff.internal.context.workspace;

import dev.handoff.internal.actor.FatalErrorGuard;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/// Protocol and factory of the actor for one directory and its index. The actor is
/// [WorkspaceActor].
final class Workspace {

  sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Requests a view within the configured maximum age.
  ///
  /// @param view number of the view
  record Get(long view, ActorRef<Workspaces.Reply> replyTo) implements Command {}

  /// A view was closed. Idempotent.
  record Returned(long view) implements Command {}

  /// A view loaded commits.
  record Learned(CommitLog log) implements Command {}

  /// A refresh completed.
  record Refreshed(WorkspaceIndex index, IndexSnapshot snapshot) implements Command {}

  record NotRefreshed(Throwable failure) implements Command {}

  /// @param onSettled receives the number of a refused or closed view; from any thread, possibly
  ///   repeatedly
  static Behavior<Command> create(
      Path root, Workspaces.Environment environment, LongConsumer onSettled) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(Workspace.class);
          return new WorkspaceActor(context, root, environment, onSettled);
        });
  }

  private Workspace() {}
}
