package dev.handoff.engine;

import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.ask.Questions;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.context.assembly.Assembler;
import dev.handoff.context.breaker.Breakers;
import dev.handoff.context.breaker.GuardedCalls;
import dev.handoff.context.workspace.Workspaces;
import dev.handoff.dispatch.ProgressSeen;
import dev.handoff.dispatch.Queues;
import dev.handoff.dispatch.Worker;
import dev.handoff.dispatch.WorkerPool;
import dev.handoff.job.ForJob;
import dev.handoff.job.JobState;
import dev.handoff.job.PoolId;
import dev.handoff.ledger.LedgerEnvironment;
import dev.handoff.plan.Applies;
import dev.handoff.plan.Blobs;
import dev.handoff.plan.PlanEnvironment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// The parts of an engine, started in the order in which they need each other, and which of them
/// still run.
final class Parts {

  private static final int MOST_APPLIES = 64;

  final List<ActorRef<WorkerPool.Command>> pools = new ArrayList<>();
  final ActorRef<Queues.Command> queues;
  final List<ActorRef<Partition.Command>> partitions = new ArrayList<>();
  private final ActorRef<Events.Command> events;
  private final Questions questions;
  private final GuardedCalls guarded;
  private final ActorRef<Assembler.Command> assembler;
  private final ActorRef<Blobs.Command> blobs;
  private final ActorRef<Gateway.Command> gateway;
  private final ActorContext<Engine.Command> context;
  private final Set<ActorRef<?>> running = new HashSet<>();

  Parts(ActorContext<Engine.Command> context, Engine.Blueprint blueprint) {
    this.context = context;
    var settings = blueprint.settings();
    var store = blueprint.store();
    var cpu = context.getSystem().dispatchers().lookup(DispatcherSelector.defaultDispatcher());
    var shared = settings.ledger().among(store.info().partitions());
    var ledger = new LedgerEnvironment(store, Facts.codec(), Facts::fold, shared, cpu);
    questions = Questions.in(context);
    events = start(Events.create(settings.events(), blueprint.clock()), "events");
    queues =
        start(
            Queues.create(
                new Queues.Environment(
                    store.info().partitions(),
                    ledger.codec(),
                    blueprint.clock(),
                    settings.dispatch().heartbeat())),
            "queues");
    guarded = guarded(blueprint);
    assembler = assembler(blueprint);
    blobs = start(Blobs.create(store, Blobs.Settings.DEFAULT), "blobs");
    var plans = plans(blueprint.applies());
    var peers = new PartitionEnvironment.Peers(context.getSelf(), queues, events, plans);
    var environment =
        new PartitionEnvironment(blueprint.owner(), ledger, settings, blueprint.clock(), peers);
    for (int number = 0; number < store.info().partitions(); number++) {
      partitions.add(start(Partition.create(number, environment), "partition-" + number));
    }
    var random = ThreadLocalRandom.current();
    gateway = start(Gateway.create(partitions, blueprint.clock(), random), "gateway");
    startPools(blueprint);
    start(Retention.create(store, settings.history(), blueprint.clock()), "retention");
  }

  private GuardedCalls guarded(Engine.Blueprint blueprint) {
    var ending = new CancellationSource();
    var breakers =
        Breakers.create(
            new Breakers.Environment(
                blueprint.settings().breakers(),
                blueprint.clock(),
                ThreadLocalRandom::current,
                ending));
    return new GuardedCalls(questions, start(breakers, "breakers"), ending.token());
  }

  private ActorRef<Assembler.Command> assembler(Engine.Blueprint blueprint) {
    var settings = blueprint.settings();
    var contexts = blueprint.contexts();
    var workspaces =
        start(
            Workspaces.create(
                new Workspaces.Environment(
                    settings.workspaces(),
                    contexts.embedder(),
                    contexts.beside(),
                    blueprint.clock())),
            "workspaces");
    return start(
        Assembler.create(settings.assembly(), contexts.kit(), workspaces, guarded), "assembler");
  }

  /// What plans leave to others: what has to wait for files or for the store has threads of its
  /// own. Not virtual ones: handlers that compute may have all processors of those.
  private PlanEnvironment.Helpers plans(Applies.Work work) {
    int most = Runtime.getRuntime().availableProcessors();
    var applies = start(Applies.create(work, threads("handoff-apply-", MOST_APPLIES)), "applies");
    var packing = threads("handoff-changes-", most);
    var bodies = new Bodies(blobs, questions, packing);
    return new PlanEnvironment.Helpers(bodies, applies);
  }

  /// Threads that end when they have had nothing to do for a while.
  private static Executor threads(String name, int most) {
    var threads =
        new ThreadPoolExecutor(
            most,
            most,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name(name, 0).factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /// Losing a part is the end of the engine.
  private <T> ActorRef<T> start(Behavior<T> behavior, String name) {
    var ref = context.spawn(behavior, name);
    context.watch(ref);
    running.add(ref);
    return ref;
  }

  /// New with every start, so that the attempts of a dead process are never taken for living ones.
  private static PoolId newPool(String node) {
    long unlike = ThreadLocalRandom.current().nextLong(1L << 40);
    return new PoolId(node + "-" + Long.toString(unlike, Character.MAX_RADIX));
  }

  /// Types that run on platform threads have a pool of their own, with as many workers as there may
  /// be of these threads: so nothing is claimed that would have to wait for one.
  private void startPools(Engine.Blueprint blueprint) {
    var id = newPool(blueprint.name());
    var settings = blueprint.settings().dispatch();
    var router = start(router(gateway), "router");
    var progress = start(progress(events), "progress");
    var code =
        blueprint.code().entrySet().stream()
            .collect(
                Collectors.partitioningBy(
                    type -> type.getValue().blocking(),
                    Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    var ordinary =
        new Worker.Environment(
            context.getSystem(), code.get(false), settings, router, progress, questions);
    pools.add(start(WorkerPool.create(id, false, ordinary), "workers"));
    if (!code.get(true).isEmpty()) {
      var blocking =
          new Worker.Environment(
              context.getSystem(),
              code.get(true),
              settings.forBlocking(),
              router,
              progress,
              questions);
      var other = new PoolId(id.value() + "-blocking");
      pools.add(start(WorkerPool.create(other, false, blocking), "blocking-workers"));
    }
  }

  private static Behavior<ForJob> router(ActorRef<Gateway.Command> gateway) {
    return FatalErrorGuard.of(
        Behaviors.receiveMessage(
            message -> {
              gateway.tell(new Gateway.Route(message));
              return Behaviors.same();
            }));
  }

  private static Behavior<ProgressSeen> progress(ActorRef<Events.Command> events) {
    return FatalErrorGuard.of(
        Behaviors.receiveMessage(
            message -> {
              events.tell(new Events.Progressed(message));
              return Behaviors.same();
            }));
  }

  /// The doors of the engine.
  Engine.Ready ready(List<JobState> interrupted) {
    return new Engine.Ready(
        gateway,
        List.copyOf(partitions),
        queues,
        events,
        guarded,
        assembler,
        blobs,
        questions,
        interrupted);
  }

  void stop(Predicate<ActorRef<?>> which) {
    running.stream().filter(which).toList().forEach(context::stop);
  }

  /// A part has stopped.
  void remove(ActorRef<?> part) {
    running.remove(part);
  }

  boolean areGone() {
    return running.isEmpty();
  }
}
