package dev.handoff.engine;

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
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// The parts of an engine, started in the order in which they need each other, and which of them
/// still run.
final class Parts {

  final ActorRef<WorkerPool.Command> pool;
  final ActorRef<Queues.Command> queues;
  final List<ActorRef<Partition.Command>> partitions = new ArrayList<>();
  private final ActorRef<Events.Command> events;
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
    var ledger = new LedgerEnvironment(store, Facts.codec(), Facts::fold, settings.ledger(), cpu);
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
    var id = newPool(blueprint.name());
    pool = start(WorkerPool.create(id, false, workers(blueprint)), "workers");
    start(Retention.create(store, settings.retention(), blueprint.clock()), "retention");
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
    return new GuardedCalls(context.getSystem(), start(breakers, "breakers"), ending.token());
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
  /// own.
  private PlanEnvironment.Helpers plans(Applies.Work work) {
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    var applies = start(Applies.create(work, threads), "applies");
    var bodies = new Bodies(blobs, context.getSystem().scheduler(), threads);
    return new PlanEnvironment.Helpers(bodies, applies);
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

  private Worker.Environment workers(Engine.Blueprint blueprint) {
    return new Worker.Environment(
        context.getSystem(),
        blueprint.code(),
        blueprint.settings().dispatch(),
        context.spawn(router(gateway), "router"),
        context.spawn(progress(events), "progress"));
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

  /// The doors of the engine.
  Engine.Ready ready(List<JobState> interrupted) {
    return new Engine.Ready(
        gateway, List.copyOf(partitions), queues, events, guarded, assembler, blobs, interrupted);
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
