package dev.handoff.internal.context.workspace;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.ask.StageFailures;
import dev.handoff.internal.spi.ContextService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Owns the index of one directory.
///
/// ```
///          Get ─▶ is the snapshot recent enough? ── yes ─▶ Opened
///                              │ no
///          closed ─▶ open ─▶ refreshing ─▶ Opened, to all waiting requests
///             ▲                  │ failed
///             └──────────────────┘ Refused, to all waiting requests
/// ```
///
/// One thread at a time uses the index: the refresh thread during a refresh, the actor otherwise.
/// Each view holds its snapshot's reader until the view is closed.
final class WorkspaceActor extends AbstractMatchingBehavior<Workspace.Command> {

  private static final Logger log = LoggerFactory.getLogger(Workspace.class);
  static final String CLOSED = "is being closed; try again when the engine runs";

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Workspaces.Environment environment;
  private final IndexedSources sources;
  private final @Nullable Path directory;
  private final LongConsumer onSettled;
  private final CancellationSource stop = new CancellationSource();
  private final List<Workspace.Get> waiting = new ArrayList<>();
  private final Map<Long, DirectoryReader> views = new HashMap<>();

  private @Nullable WorkspaceIndex index;
  private @Nullable IndexSnapshot snapshot;
  private @Nullable CompletableFuture<Workspace.Refreshed> refreshing;
  private CommitLog commits = CommitLog.NONE;
  private Instant refreshed = Instant.MIN;

  WorkspaceActor(
      ActorContext<Workspace.Command> context,
      Path root,
      Workspaces.Environment environment,
      LongConsumer onSettled) {
    super(context);
    this.environment = environment;
    this.onSettled = onSettled;
    this.directory = directory(root, environment);
    this.sources =
        new IndexedSources(
            root,
            excluded(environment),
            environment.settings(),
            environment.embedder(),
            new WordNormalizer(),
            environment.clock());
  }

  @Override
  public Behavior<Workspace.Command> onMessage(Workspace.Command message) {
    switch (message) {
      case Workspace.Get get -> onGet(get);
      case Workspace.Returned(long view) -> onReturned(view);
      case Workspace.Learned(var read) -> commits = read;
      case Workspace.Refreshed done -> onRefreshed(done);
      case Workspace.NotRefreshed(var failure) -> onNotRefreshed(failure);
    }
    return this;
  }

  @Override
  public Behavior<Workspace.Command> onSignal(Signal signal) {
    return switch (signal) {
      case PostStop ended -> onPostStop();
      default -> Behaviors.unhandled();
    };
  }

  private void onGet(Workspace.Get get) {
    if (refreshing == null && isNew()) {
      give(get);
      return;
    }
    waiting.add(get);
    if (refreshing == null) {
      refresh();
    }
  }

  /// Whether the snapshot is within its maximum age; false if the clock was set back.
  private boolean isNew() {
    var now = environment.clock().instant();
    return snapshot != null
        && !refreshed.isAfter(now)
        && now.isBefore(refreshed.plus(environment.settings().refreshAfter()));
  }

  private void refresh() {
    refreshed = environment.clock().instant();
    var known = index;
    var begun =
        known == null
            ? CompletableFuture.supplyAsync(this::open, WorkspaceIndex.THREADS)
            : CompletableFuture.completedFuture(known);
    refreshing =
        begun
            .thenCompose(
                open -> refreshed(open).exceptionallyCompose(failure -> inMemory(open, failure)))
            .toCompletableFuture();
    getContext()
        .pipeToSelf(
            refreshing,
            (done, failure) -> done == null ? new Workspace.NotRefreshed(failure) : done);
  }

  private WorkspaceIndex open() {
    try {
      return WorkspaceIndex.open(sources, directory);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /// Refreshes the index. A failure closes it; the next request opens it again.
  private CompletionStage<Workspace.Refreshed> refreshed(WorkspaceIndex open) {
    return open.refresh(stop.token())
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                close(open);
              }
            })
        .thenApply(done -> new Workspace.Refreshed(open, done.snapshot()));
  }

  /// Falls back to an index in memory, so that a failure such as a full disk costs only
  /// persistence.
  private CompletionStage<Workspace.Refreshed> inMemory(WorkspaceIndex broken, Throwable failure) {
    return broken.isOnDisk() && !stop.token().isCancelled()
        ? CompletableFuture.supplyAsync(
                () -> WorkspaceIndex.inMemory(sources, failure), WorkspaceIndex.THREADS)
            .thenCompose(this::refreshed)
        : CompletableFuture.failedFuture(failure);
  }

  private static void close(WorkspaceIndex index) {
    try {
      index.close();
    } catch (IOException | RuntimeException failed) {
      log.warn("an index could not be closed: it is only a cache, and will be made anew", failed);
    }
  }

  private void onRefreshed(Workspace.Refreshed done) {
    refreshing = null;
    index = done.index();
    snapshot = done.snapshot();
    waiting.forEach(this::give);
    waiting.clear();
  }

  private void onNotRefreshed(Throwable failure) {
    refreshing = null;
    index = null;
    snapshot = null;
    refuse(
        "could not be indexed: %s; try again when that is mended"
            .formatted(StageFailures.cause(failure)));
  }

  private void refuse(String why) {
    var reason = "workspace \"%s\" %s".formatted(sources.root(), why);
    for (var get : waiting) {
      get.replyTo().tell(new Workspaces.Refused(reason));
      onSettled.accept(get.view());
    }
    waiting.clear();
  }

  private void give(Workspace.Get get) {
    var given = snapshot;
    given.reader().incRef();
    views.put(get.view(), given.reader());
    var owner = new Owner(getContext().getSelf(), get.view(), onSettled);
    get.replyTo().tell(new Workspaces.Opened(IndexView.of(sources, given, commits, owner)));
  }

  private record Owner(ActorRef<Workspace.Command> workspace, long view, LongConsumer onSettled)
      implements IndexView.Owner {
    @Override
    public void closed() {
      onSettled.accept(view);
    }

    @Override
    public void learned(CommitLog log) {
      workspace.tell(new Workspace.Learned(log));
    }
  }

  private void onReturned(long view) {
    var reader = views.remove(view);
    if (reader != null) {
      WorkspaceIndex.THREADS.execute(() -> release(reader));
    }
  }

  private static void release(DirectoryReader reader) {
    try {
      reader.decRef();
    } catch (IOException | RuntimeException failed) {
      log.warn("a view of an index could not be closed", failed);
    }
  }

  /// Closes the index and all readers. Blocks on a blocking dispatcher, because the host may delete
  /// the directory directly after engine shutdown.
  private Behavior<Workspace.Command> onPostStop() {
    stop.cancel(
        new Cancellation(Cancellation.Cause.SHUTDOWN, "the workspace is closed", "handoff"));
    var last = refreshing == null ? index : lastOf(refreshing);
    if (last != null) {
      close(last);
    }
    views.values().forEach(WorkspaceActor::release);
    refuse(CLOSED);
    return Behaviors.same();
  }

  private static @Nullable WorkspaceIndex lastOf(CompletableFuture<Workspace.Refreshed> refresh) {
    try {
      return refresh.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).index();
    } catch (TimeoutException slow) {
      refresh.thenAccept(late -> close(late.index()));
      return null;
    } catch (ExecutionException noneOpen) {
      return null;
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private static Set<Path> excluded(Workspaces.Environment environment) {
    var excluded = new HashSet<Path>();
    environment.settings().directory().map(WorkspaceActor::real).ifPresent(excluded::add);
    environment.beside().map(WorkspaceActor::real).ifPresent(excluded::add);
    return excluded;
  }

  private static @Nullable Path directory(Path root, Workspaces.Environment environment) {
    return environment
        .settings()
        .directory()
        .or(() -> environment.beside().map(ContextService::indexes))
        .map(place -> place.resolve(name(root)))
        .orElse(null);
  }

  private static String name(Path root) {
    return FileReads.hash(root.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException missing) {
      return path.toAbsolutePath().normalize();
    }
  }
}
