package dev.handoff.engine;

import dev.handoff.dispatch.AttemptCode;
import dev.handoff.dispatch.Dispatcher;
import dev.handoff.dispatch.ProgressSeen;
import dev.handoff.dispatch.Queues;
import dev.handoff.dispatch.QueuesState;
import dev.handoff.dispatch.Worker;
import dev.handoff.dispatch.WorkerPool;
import dev.handoff.job.ForJob;
import dev.handoff.job.PoolId;
import dev.handoff.ledger.Ledger;
import dev.handoff.ledger.LedgerEnvironment;
import dev.handoff.store.Store;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// The guardian of an engine: starts its parts in the order in which they need each other, says
/// when it is ready and how it is, and stops them.
///
/// ```
/// starting ──every partition open──▶ ready ──Shutdown──▶ draining ──no attempt left──▶ closed ──Leave──▶ stopped
///     │                                └──── a part is lost ─────▶ down ──Shutdown────────▲
///     └─── a part is lost, or the store stays away ──▶ not started ──Shutdown─────────────┘
/// ```
///
/// An engine that is down does nothing any more: its parts are stopped, and so is what its workers
/// run. It says so to whoever asks for its health, and the host's JVM goes on.
public final class Engine extends AbstractMatchingBehavior<Engine.Command> {

  /// Messages accepted by an engine. All of them are local to its node.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Answered with [Startup] when the engine takes jobs, or cannot be started.
  public record AwaitStart(ActorRef<Startup> replyTo) implements Command {}

  public record GetHealth(ActorRef<HealthReport> replyTo) implements Command {}

  /// Stops in order: no more claims, running attempts end or are cancelled, then everything else.
  /// Answered with [Stopped] when all parts have stopped. Idempotent.
  public record Shutdown(ActorRef<Stopped> replyTo) implements Command {}

  /// Ends the engine itself, after a [Shutdown].
  public enum Leave implements Command {
    INSTANCE
  }

  /// How a start went.
  public sealed interface Startup extends NoSerializationVerificationNeeded {}

  /// The doors of the engine.
  public record Ready(
      ActorRef<Gateway.Command> gateway,
      List<ActorRef<Partition.Command>> partitions,
      ActorRef<Queues.Command> queues,
      ActorRef<Events.Command> events)
      implements Startup {}

  public record NotStarted(String reason) implements Startup {}

  /// Nothing of the engine runs any more.
  ///
  /// @param abandoned attempts that did not end: their code may still run
  public record Stopped(int abandoned) implements NoSerializationVerificationNeeded {}

  /// @param problems what is wrong, in words
  /// @param dispatchers what the partitions have; fewer than there are if some did not answer
  public record HealthReport(
      boolean ready,
      List<String> problems,
      List<Dispatcher.Load> dispatchers,
      WorkerPool.@Nullable Load pool,
      Queues.@Nullable Current rules)
      implements NoSerializationVerificationNeeded {}

  record Opened(
      int partition,
      ActorRef<Dispatcher.Command> dispatcher,
      QueuesState queues,
      ActorRef<Ledger.Command> ledger)
      implements Command {}

  record StoreAway(int partition, String reason) implements Command {}

  record StoreBack(int partition) implements Command {}

  record PartitionDown(int partition, String reason) implements Command {}

  private record Surveyed(Survey.Found found, ActorRef<HealthReport> replyTo) implements Command {}

  private record PartGone(ActorRef<?> part) implements Command {}

  private record Drained(WorkerPool.Stopped stopped) implements Command {}

  private enum PatienceOver implements Command {
    INSTANCE
  }

  private enum DrainOver implements Command {
    INSTANCE
  }

  /// What an engine is made of.
  ///
  /// @param name of the node, part of the names of its workers
  /// @param owner who owns the store, in the words that a second one would be told
  /// @param down told once, with the reason, when the engine goes down by itself
  public record Blueprint(
      String name,
      String owner,
      Store store,
      EngineSettings settings,
      Map<String, AttemptCode> code,
      InstantSource clock,
      Downfall down) {}

  /// Told when an engine goes down by itself.
  public interface Downfall {
    void tell(String reason);
  }

  public static Behavior<Command> create(Blueprint blueprint) {
    return Behaviors.setup(
        context -> {
          context.setLoggerName(Engine.class);
          return new Engine(context, blueprint);
        });
  }

  private final Blueprint blueprint;
  private final ActorRef<Queues.Command> queues;
  private final ActorRef<Events.Command> events;
  private final ActorRef<Gateway.Command> gateway;
  private final ActorRef<WorkerPool.Command> pool;
  private final List<ActorRef<Partition.Command>> partitions = new ArrayList<>();
  private final Set<ActorRef<?>> parts = new HashSet<>();
  private final Map<Integer, ActorRef<Dispatcher.Command>> dispatchers = new TreeMap<>();
  private final Map<Integer, String> away = new TreeMap<>();
  private final List<ActorRef<Startup>> starting = new ArrayList<>();
  private final List<ActorRef<Stopped>> stopping = new ArrayList<>();

  private boolean ready;
  private boolean impatient;
  private boolean stopped;
  private int abandoned;
  private @Nullable String downBecause;

  private Engine(ActorContext<Command> context, Blueprint blueprint) {
    super(context);
    this.blueprint = blueprint;
    var settings = blueprint.settings();
    var store = blueprint.store();
    var cpu = context.getSystem().dispatchers().lookup(DispatcherSelector.defaultDispatcher());
    var ledger = new LedgerEnvironment(store, Facts.codec(), Facts::fold, settings.ledger(), cpu);
    events = part(Events.create(settings.events(), blueprint.clock()), "events");
    queues =
        part(
            Queues.create(
                new Queues.Environment(
                    store.info().partitions(),
                    ledger.codec(),
                    blueprint.clock(),
                    settings.dispatch().heartbeat())),
            "queues");
    var peers = new PartitionEnvironment.Peers(context.getSelf(), queues, events);
    var environment =
        new PartitionEnvironment(blueprint.owner(), ledger, settings, blueprint.clock(), peers);
    for (int number = 0; number < store.info().partitions(); number++) {
      partitions.add(part(Partition.create(number, environment), "partition-" + number));
    }
    gateway =
        part(Gateway.create(partitions, blueprint.clock(), ThreadLocalRandom.current()), "gateway");
    pool = part(WorkerPool.create(poolId(), false, workers()), "workers");
    part(Retention.create(store, settings.retention(), blueprint.clock()), "retention");
  }

  /// Starts a part. Losing it is the end of the engine.
  private <T> ActorRef<T> part(Behavior<T> behavior, String name) {
    var ref = getContext().spawn(behavior, name);
    getContext().watch(ref);
    parts.add(ref);
    return ref;
  }

  /// New with every start, so that the attempts of a dead process are never taken for living ones.
  private PoolId poolId() {
    long unlike = ThreadLocalRandom.current().nextLong(1L << 40);
    return new PoolId(blueprint.name() + "-" + Long.toString(unlike, Character.MAX_RADIX));
  }

  private Worker.Environment workers() {
    return new Worker.Environment(
        getContext().getSystem(),
        blueprint.code(),
        blueprint.settings().dispatch(),
        getContext().spawn(router(gateway), "router"),
        getContext().spawn(progress(events), "progress"));
  }

  @Override
  public Behavior<Command> onMessage(Command message) {
    switch (message) {
      case AwaitStart(var replyTo) -> onAwaitStart(replyTo);
      case Opened opened -> onOpened(opened);
      case StoreAway(int partition, var reason) -> onStoreAway(partition, reason);
      case StoreBack(int partition) -> onStoreBack(partition);
      case PartitionDown(int partition, var reason) -> goDown(reason);
      case GetHealth(var replyTo) -> onGetHealth(replyTo);
      case Surveyed(var found, var replyTo) -> replyTo.tell(report(found));
      case PatienceOver over -> onPatienceOver();
      case PartGone(var part) -> onPartGone(part);
      case Shutdown(var replyTo) -> onShutdown(replyTo);
      case Drained(var last) -> onDrained(last.abandoned());
      case DrainOver over -> onDrained(abandoned);
      case Leave leave -> {
        return Behaviors.stopped();
      }
    }
    return this;
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    switch (signal) {
      case ChildFailed failed -> onPartFailed(failed);
      // Signals overtake messages: what the part had to say is still in the mailbox.
      case Terminated gone -> getContext().getSelf().tell(new PartGone(gone.getRef()));
      default -> {
        return Behaviors.unhandled();
      }
    }
    return this;
  }

  private void onAwaitStart(ActorRef<Startup> replyTo) {
    starting.add(replyTo);
    answerStart();
  }

  private void onOpened(Opened opened) {
    dispatchers.put(opened.partition(), opened.dispatcher());
    away.remove(opened.partition());
    if (opened.partition() == 0) {
      queues.tell(new Queues.Restored(opened.queues(), opened.ledger()));
    }
    queues.tell(new Queues.Hello(opened.partition(), opened.dispatcher()));
    pool.tell(new WorkerPool.Meet(opened.partition(), opened.dispatcher()));
    ready = dispatchers.size() == partitions.size();
    answerStart();
  }

  private void answerStart() {
    if (downBecause != null) {
      tellStarting(new NotStarted(downBecause));
    } else if (stopped) {
      tellStarting(new NotStarted("it is closed"));
    } else if (ready) {
      tellStarting(new Ready(gateway, List.copyOf(partitions), queues, events));
    }
  }

  private void tellStarting(Startup answer) {
    starting.forEach(waiting -> waiting.tell(answer));
    starting.clear();
  }

  /// While the engine starts it waits for the store for a while only: whoever starts it can do more
  /// about it than wait.
  private void onStoreAway(int partition, String reason) {
    if (away.isEmpty()) {
      getContext().getLog().warn("the store is away: {}", reason);
    }
    away.put(partition, reason);
    if (!ready && !impatient) {
      impatient = true;
      getContext()
          .scheduleOnce(
              blueprint.settings().startPatience(), getContext().getSelf(), PatienceOver.INSTANCE);
    }
  }

  private void onStoreBack(int partition) {
    away.remove(partition);
    if (away.isEmpty()) {
      getContext().getLog().info("the store is back");
    }
  }

  private void onPatienceOver() {
    impatient = false;
    if (!ready && !away.isEmpty()) {
      goDown("the store is away: " + away.values().iterator().next());
    }
  }

  private void onPartFailed(ChildFailed part) {
    goDown("its part \"%s\" failed: %s".formatted(part.getRef().path().name(), part.cause()));
    onPartGone(part.getRef());
  }

  /// The pool stops by itself when it has no attempt left.
  private void onPartGone(ActorRef<?> part) {
    parts.remove(part);
    if (!part.equals(pool) || stopping.isEmpty()) {
      goDown("its part \"%s\" is gone".formatted(part.path().name()));
    }
    answerStopped();
  }

  /// One part that is lost is the end of all: a partition that is not ours any more means that
  /// somebody else has the store, and without another part jobs would be accepted and not run.
  private void goDown(String reason) {
    if (downBecause != null || stopped) {
      return;
    }
    downBecause = reason;
    getContext().getLog().error("the engine is down: {}", reason);
    if (ready && stopping.isEmpty()) {
      blueprint.down().tell(reason);
    }
    pool.tell(WorkerPool.Revoke.INSTANCE);
    stopParts(part -> !part.equals(pool));
  }

  private void stopParts(Predicate<ActorRef<?>> which) {
    stopped = true;
    dispatchers.clear();
    parts.stream().filter(which).toList().forEach(part -> getContext().stop(part));
    answerStart();
    answerStopped();
  }

  private void onGetHealth(ActorRef<HealthReport> replyTo) {
    if (stopped) {
      replyTo.tell(report(Survey.Found.NOTHING));
    } else {
      var self = getContext().getSelf();
      getContext()
          .spawnAnonymous(
              Survey.create(
                  dispatchers.values(),
                  pool,
                  queues,
                  found -> self.tell(new Surveyed(found, replyTo))));
    }
  }

  private HealthReport report(Survey.Found found) {
    var problems = new ArrayList<String>();
    if (downBecause != null) {
      problems.add("the engine is down: " + downBecause);
    } else if (!stopping.isEmpty() || stopped) {
      problems.add("the engine is closed");
    }
    away.values().stream()
        .distinct()
        .forEach(reason -> problems.add("the store is away: " + reason));
    found.dispatchers().stream()
        .flatMap(load -> load.unknownTypes().stream())
        .distinct()
        .sorted()
        .forEach(type -> problems.add("no worker for type " + type));
    boolean takesJobs = ready && !stopped && stopping.isEmpty() && away.isEmpty();
    return new HealthReport(takesJobs, problems, found.dispatchers(), found.pool(), found.rules());
  }

  private void onShutdown(ActorRef<Stopped> replyTo) {
    boolean first = stopping.isEmpty();
    stopping.add(replyTo);
    if (stopped) {
      stopParts(part -> true);
    } else if (first) {
      drain();
    }
  }

  /// Attempts that cannot be brought to their end in time, because the store is away or their code
  /// does not stop, are found lost by the next start.
  private void drain() {
    dispatchers.values().forEach(dispatcher -> dispatcher.tell(Dispatcher.Drain.INSTANCE));
    pool.tell(
        new WorkerPool.Shutdown(
            getContext().messageAdapter(WorkerPool.Stopped.class, Drained::new)));
    var longest = blueprint.settings().longestShutdown();
    getContext().scheduleOnce(longest, getContext().getSelf(), DrainOver.INSTANCE);
  }

  private void onDrained(int left) {
    abandoned = left;
    if (!stopped) {
      stopParts(part -> true);
    }
  }

  private void answerStopped() {
    if (parts.isEmpty()) {
      stopping.forEach(waiting -> waiting.tell(new Stopped(abandoned)));
      stopping.clear();
    }
  }

  private static Behavior<ForJob> router(ActorRef<Gateway.Command> gateway) {
    return Behaviors.receiveMessage(
        message -> {
          gateway.tell(new Gateway.Route(message));
          return Behaviors.same();
        });
  }

  private static Behavior<ProgressSeen> progress(ActorRef<Events.Command> events) {
    return Behaviors.receiveMessage(
        message -> {
          events.tell(new Events.Progressed(message));
          return Behaviors.same();
        });
  }
}
