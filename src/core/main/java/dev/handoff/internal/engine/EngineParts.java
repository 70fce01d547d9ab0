package dev.handoff.internal.engine;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.internal.breaker.Breakers;
import dev.handoff.internal.breaker.GuardedCalls;
import dev.handoff.internal.dispatch.Queues;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.dispatch.pool.WorkerPoolActor;
import dev.handoff.internal.dispatch.worker.ProgressSeen;
import dev.handoff.internal.dispatch.worker.Worker;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.ledger.LedgerEnvironment;
import dev.handoff.internal.plan.ApplyRunner;
import dev.handoff.internal.plan.Blobs;
import dev.handoff.internal.plan.PlanEnvironment;
import dev.handoff.internal.spi.AssembleContext;
import dev.handoff.internal.spi.ContextHost;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/// Parts of an engine, started in dependency order, and the set of running parts.
final class EngineParts {

  private static final int MOST_APPLIES = 64;

  final List<ActorRef<WorkerPool.Command>> pools = new ArrayList<>();
  final ActorRef<Queues.Command> queues;
  final List<ActorRef<Partition.Command>> partitions = new ArrayList<>();
  private final ActorRef<EventBuffer.Command> events;
  private final ActorQuestions questions;
  private final GuardedCalls guarded;
  private final Optional<ActorRef<AssembleContext>> assembler;
  private final ActorRef<Blobs.Command> blobs;
  private final ActorRef<Gateway.Command> gateway;
  private final ActorContext<Engine.Command> context;
  private final Set<ActorRef<?>> running = new HashSet<>();

  EngineParts(ActorContext<Engine.Command> context, Engine.Blueprint blueprint) {
    this.context = context;
    var settings = blueprint.settings();
    var store = blueprint.store();
    var cpu = context.getSystem().dispatchers().lookup(DispatcherSelector.defaultDispatcher());
    var shared = settings.ledger().among(store.info().partitions());
    var ledger = new LedgerEnvironment(store, FactFolding.codec(), FactFolding::fold, shared, cpu);
    questions = ActorQuestions.in(context);
    events = start(EventBuffer.create(settings.events(), blueprint.clock()), "events");
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
    var host = new ContextHost(this::start, guarded, blueprint.clock());
    assembler = blueprint.contexts().map(contexts -> contexts.start(host));
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
    start(HistoryRetention.create(store, settings.history(), blueprint.clock()), "retention");
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

  /// Helpers of plans for file and store access, on separate threads. Platform threads, since
  /// handlers that compute may occupy all carriers of virtual threads.
  private PlanEnvironment.Helpers plans(ApplyRunner.Work work) {
    int most = Runtime.getRuntime().availableProcessors();
    var applies =
        start(ApplyRunner.create(work, threads("handoff-apply-", MOST_APPLIES)), "applies");
    var packing = threads("handoff-changes-", most);
    var bodies = new ChangesetBodies(blobs, questions, packing);
    return new PlanEnvironment.Helpers(bodies, applies);
  }

  /// Thread pool whose idle threads end after a second.
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

  /// Starts and watches a part: losing a part ends the engine.
  private <T> ActorRef<T> start(Behavior<T> behavior, String name) {
    var ref = context.spawn(behavior, name);
    context.watch(ref);
    running.add(ref);
    return ref;
  }

  /// Pool id, new with each start, so that a dead process's attempts are never confused with live
  /// ones.
  private static PoolId newPool(String node) {
    long unlike = ThreadLocalRandom.current().nextLong(1L << 40);
    return new PoolId(node + "-" + Long.toString(unlike, Character.MAX_RADIX));
  }

  /// Starts the worker pools. Types on platform threads have a separate pool with one worker per
  /// thread, so that no claimed job waits for a thread.
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
    pools.add(start(WorkerPoolActor.create(id, false, ordinary), "workers"));
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
      pools.add(start(WorkerPoolActor.create(other, false, blocking), "blocking-workers"));
    }
  }

  private static Behavior<JobEnvelope> router(ActorRef<Gateway.Command> gateway) {
    return FatalErrorGuard.of(
        Behaviors.receiveMessage(
            message -> {
              gateway.tell(new Gateway.Route(message));
              return Behaviors.same();
            }));
  }

  private static Behavior<ProgressSeen> progress(ActorRef<EventBuffer.Command> events) {
    return FatalErrorGuard.of(
        Behaviors.receiveMessage(
            message -> {
              events.tell(new EventBuffer.Progressed(message));
              return Behaviors.same();
            }));
  }

  /// Entry points of the engine.
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

  /// Removes a stopped part.
  void remove(ActorRef<?> part) {
    running.remove(part);
  }

  boolean areGone() {
    return running.isEmpty();
  }
}
