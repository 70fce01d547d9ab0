package dev.handoff.internal.context.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Registry of [Workspace] actors, one per recently requested directory.
///
/// ```
/// Open ─▶ root check on its own thread ─▶ Workspace.Get ─▶ Opened ── view closed ─▶ Settled
/// ```
///
/// Above the limit `open`, the least recently requested workspace without views is stopped. Every
/// request and every return passes through this actor, so a workspace with a pending request is
/// never stopped. A stopping workspace keeps its map entry; requests for it wait until it has
/// stopped.
final class WorkspacesActor extends AbstractMatchingBehavior<Workspaces.Command> {

  private static final Executor LOOKS =
      task -> Thread.ofPlatform().daemon().name("handoff-workspace-root").start(task);

  private final Workspaces.Environment environment;

  /// In order of the last request, most recent last.
  private final Map<Path, Place> places = new LinkedHashMap<>();

  private long lastView;

  private static final class Place {
    final ActorRef<Workspace.Command> workspace;
    final Deque<Workspaces.Looked> waiting = new ArrayDeque<>();
    final Set<Long> views = new HashSet<>();
    boolean ending;

    Place(ActorRef<Workspace.Command> workspace) {
      this.workspace = workspace;
    }
  }

  WorkspacesActor(ActorContext<Workspaces.Command> context, Workspaces.Environment environment) {
    super(context);
    this.environment = environment;
  }

  @Override
  public Behavior<Workspaces.Command> onMessage(Workspaces.Command message) {
    switch (message) {
      case Workspaces.Open open -> onOpen(open);
      case Workspaces.Looked looked -> onLooked(looked);
      case Workspaces.Settled(var root, long view) -> onSettled(root, view);
    }
    return this;
  }

  @Override
  public Behavior<Workspaces.Command> onSignal(Signal signal) {
    return switch (signal) {
      case ChildFailed failed -> onEnded(failed.getRef());
      case Terminated ended -> onEnded(ended.getRef());
      case PostStop stopped -> onPostStop();
      default -> Behaviors.unhandled();
    };
  }

  private void onOpen(Workspaces.Open open) {
    getContext()
        .pipeToSelf(
            CompletableFuture.supplyAsync(() -> look(open), LOOKS),
            (looked, failure) ->
                looked == null
                    ? new Workspaces.Looked(open.root(), failure.toString(), open.replyTo())
                    : looked);
  }

  private static Workspaces.Looked look(Workspaces.Open open) {
    var root = open.root();
    var refused = "workspace \"%s\" cannot be read: ".formatted(root);
    try {
      var real = root.toRealPath();
      String refusal = null;
      if (!Files.isDirectory(real)) {
        refusal = refused + "it is not a directory; name the directory that it is in";
      } else if (!Files.isReadable(real) || !Files.isExecutable(real)) {
        refusal =
            refused + "no permission to list it; give this process the right to, or name another";
      }
      return new Workspaces.Looked(real, refusal, open.replyTo());
    } catch (NoSuchFileException missing) {
      var refusal = refused + "it does not exist; name a directory that does";
      return new Workspaces.Looked(root, refusal, open.replyTo());
    } catch (IOException unreadable) {
      var refusal = refused + unreadable + "; mend that, or name another directory";
      return new Workspaces.Looked(root, refusal, open.replyTo());
    }
  }

  private void onLooked(Workspaces.Looked looked) {
    if (looked.refusal() != null) {
      looked.replyTo().tell(new Workspaces.Refused(looked.refusal()));
      return;
    }
    var place = places.remove(looked.root());
    if (place == null) {
      makeRoom();
      if (open() >= environment.settings().open()) {
        looked.replyTo().tell(new Workspaces.Refused(full(looked.root())));
        return;
      }
      place = new Place(spawn(looked.root()));
    }
    places.put(looked.root(), place);
    ask(place, looked);
  }

  private void ask(Place place, Workspaces.Looked looked) {
    if (place.ending) {
      place.waiting.add(looked);
    } else {
      place.views.add(++lastView);
      place.workspace.tell(new Workspace.Get(lastView, looked.replyTo()));
    }
  }

  private String full(Path root) {
    return "workspace \"%s\" cannot be opened: %d others are in use; try again when one is not, or raise handoff.context.workspace.open"
        .formatted(root, places.size());
  }

  private ActorRef<Workspace.Command> spawn(Path root) {
    var self = getContext().getSelf();
    var workspace =
        Workspace.create(root, environment, view -> self.tell(new Workspaces.Settled(root, view)));
    var child = getContext().spawnAnonymous(workspace, DispatcherSelector.blocking());
    getContext().watch(child);
    return child;
  }

  private long open() {
    return places.values().stream().filter(place -> !place.ending).count();
  }

  private void makeRoom() {
    if (open() >= environment.settings().open()) {
      places.values().stream()
          .filter(place -> !place.ending && place.views.isEmpty())
          .findFirst()
          .ifPresent(
              unused -> {
                unused.ending = true;
                getContext().stop(unused.workspace);
              });
    }
  }

  private void onSettled(Path root, long view) {
    var place = places.get(root);
    if (place != null && place.views.remove(view)) {
      place.workspace.tell(new Workspace.Returned(view));
    }
  }

  private Behavior<Workspaces.Command> onEnded(ActorRef<Void> ref) {
    var waiting = new ArrayList<Workspaces.Looked>();
    places
        .values()
        .removeIf(
            place -> {
              boolean ended = place.workspace.equals(ref);
              if (ended) {
                waiting.addAll(place.waiting);
              }
              return ended;
            });
    waiting.forEach(this::onLooked);
    return this;
  }

  private Behavior<Workspaces.Command> onPostStop() {
    for (var place : places.values()) {
      for (var looked : place.waiting) {
        var reason = "workspace \"%s\" %s".formatted(looked.root(), WorkspaceActor.CLOSED);
        looked.replyTo().tell(new Workspaces.Refused(reason));
      }
    }
    return Behaviors.same();
  }
}
