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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// The guardian of an engine: starts its actors in the order in which they need each other, says
/// when it is ready and how it is, and stops them in the opposite order.
///
/// ```
/// starting ──every partition open──▶ ready ──Shutdown──▶ draining ──no attempt left──▶ stopped
///     └─────── a partition is down ───▶ down (the host is told; the host's JVM goes on)
/// ```
public final class Engine extends AbstractMatchingBehavior<Engine.Command> {

  /// Messages accepted by an engine. All of them are local to its node.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Answered with [Startup] when the engine takes jobs, or cannot be started.
  public record AwaitStart(ActorRef<Startup> replyTo) implements Command {}

  public record GetHealth(ActorRef<HealthReport> replyTo) implements Command {}

  /// Stops in order: no more claims, running attempts end or are cancelled, then everything else.
  public record Shutdown(ActorRef<WorkerPool.Stopped> replyTo) implements Command {}

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

  private record Drained(WorkerPool.Stopped stopped) implements Command {}

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
  private final Map<Integer, ActorRef<Dispatcher.Command>> dispatchers = new TreeMap<>();
  private final Map<Integer, String> away = new TreeMap<>();
  private final List<ActorRef<Startup>> starting = new ArrayList<>();

  private @Nullable String downBecause;
  private @Nullable ActorRef<WorkerPool.Stopped> stopping;

  private Engine(ActorContext<Command> context, Blueprint blueprint) {
    super(context);
    this.blueprint = blueprint;
    var settings = blueprint.settings();
    var store = blueprint.store();
    var cpu = context.getSystem().dispatchers().lookup(DispatcherSelector.defaultDispatcher());
    var ledger = new LedgerEnvironment(store, Facts.codec(), Facts::fold, settings.ledger(), cpu);
    events = context.spawn(Events.create(settings.events(), blueprint.clock()), "events");
    var repeat = settings.dispatch().heartbeat();
    queues =
        context.spawn(
            Queues.create(
                new Queues.Environment(
                    store.info().partitions(), ledger.codec(), blueprint.clock(), repeat)),
            "queues");
    var peers = new PartitionEnvironment.Peers(context.getSelf(), queues, events);
    var environment =
        new PartitionEnvironment(blueprint.owner(), ledger, settings, blueprint.clock(), peers);
    for (int number = 0; number < store.info().partitions(); number++) {
      partitions.add(context.spawn(Partition.create(number, environment), "partition-" + number));
    }
    gateway =
        context.spawn(
            Gateway.create(partitions, blueprint.clock(), ThreadLocalRandom.current()), "gateway");
    pool = context.spawn(WorkerPool.create(poolId(), false, workers()), "workers");
    context.spawn(Retention.create(store, settings.retention(), blueprint.clock()), "retention");
  }

  /// New with every start, so that the attempts of a dead process are never taken for living ones.
  private PoolId poolId() {
    return new PoolId(
        blueprint.name() + "-" + Long.toString(blueprint.clock().millis(), Character.MAX_RADIX));
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
      case PartitionDown(int partition, var reason) -> onPartitionDown(reason);
      case GetHealth(var replyTo) -> survey(replyTo);
      case Surveyed(var found, var replyTo) -> replyTo.tell(report(found));
      case Shutdown(var replyTo) -> onShutdown(replyTo);
      case Drained(var stopped) -> stopping.tell(stopped);
    }
    return this;
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    return Behaviors.unhandled();
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
    answerStart();
  }

  private void answerStart() {
    if (downBecause != null) {
      tellStarting(new NotStarted(downBecause));
    } else if (dispatchers.size() == partitions.size()) {
      tellStarting(new Ready(gateway, List.copyOf(partitions), queues, events));
    }
  }

  private void tellStarting(Startup answer) {
    starting.forEach(waiting -> waiting.tell(answer));
    starting.clear();
  }

  private void onStoreAway(int partition, String reason) {
    if (away.isEmpty()) {
      getContext().getLog().warn("the store is away: {}", reason);
    }
    away.put(partition, reason);
  }

  private void onStoreBack(int partition) {
    away.remove(partition);
    if (away.isEmpty()) {
      getContext().getLog().info("the store is back");
    }
  }

  /// One partition that is not ours any more means that somebody else has the store: nothing may be
  /// claimed.
  private void onPartitionDown(String reason) {
    if (downBecause == null) {
      downBecause = reason;
      getContext().getLog().error("the engine is down: {}", reason);
      dispatchers.values().forEach(dispatcher -> dispatcher.tell(Dispatcher.Drain.INSTANCE));
      blueprint.down().tell(reason);
      answerStart();
    }
  }

  private void survey(ActorRef<HealthReport> replyTo) {
    var self = getContext().getSelf();
    getContext()
        .spawnAnonymous(
            Survey.create(
                dispatchers.values(),
                pool,
                queues,
                found -> self.tell(new Surveyed(found, replyTo))));
  }

  private HealthReport report(Survey.Found found) {
    var problems = new ArrayList<String>();
    if (downBecause != null) {
      problems.add("the engine is down: " + downBecause);
    }
    away.values().stream()
        .distinct()
        .forEach(reason -> problems.add("the store is away: " + reason));
    found.dispatchers().stream()
        .flatMap(load -> load.unknownTypes().stream())
        .distinct()
        .sorted()
        .forEach(type -> problems.add("no worker for type " + type));
    boolean ready =
        downBecause == null && away.isEmpty() && dispatchers.size() == partitions.size();
    return new HealthReport(ready, problems, found.dispatchers(), found.pool(), found.rules());
  }

  private void onShutdown(ActorRef<WorkerPool.Stopped> replyTo) {
    stopping = replyTo;
    dispatchers.values().forEach(dispatcher -> dispatcher.tell(Dispatcher.Drain.INSTANCE));
    pool.tell(
        new WorkerPool.Shutdown(
            getContext().messageAdapter(WorkerPool.Stopped.class, Drained::new)));
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
