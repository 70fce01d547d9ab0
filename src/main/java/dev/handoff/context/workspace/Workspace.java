package dev.handoff.context.workspace;

import dev.handoff.actor.FatalErrorGuard;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/// One directory and its index: what it can be sent, and how it is made. The actor itself is
/// [WorkspaceActor].
final class Workspace {

  sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Answered with a view that is no older than the settings allow.
  ///
  /// @param view its number
  record Get(long view, ActorRef<Workspaces.Reply> replyTo) implements Command {}

  /// A view is not used any more. Idempotent.
  record Returned(long view) implements Command {}

  /// A view has read commits.
  record Learned(CommitLog log) implements Command {}

  /// A refresh has ended.
  record Refreshed(WorkspaceIndex index, Snapshot snapshot) implements Command {}

  record NotRefreshed(Throwable failure) implements Command {}

  /// @param onSettled called with the number of a view that was refused or is closed, maybe often;
  ///   from any thread
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
