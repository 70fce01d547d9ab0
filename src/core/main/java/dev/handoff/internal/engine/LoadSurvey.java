package dev.handoff.internal.engine;

import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.Queues;
import dev.handoff.internal.dispatch.WorkerPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// One query of all loads: asks dispatchers, pools and queues once, and reports answers that arrive
/// in time.
final class LoadSurvey {

  sealed interface Command extends NoSerializationVerificationNeeded {}

  private record Queue(Dispatcher.Load load) implements Command {}

  private record Pool(WorkerPool.Load load) implements Command {}

  private record Rules(Queues.Current rules) implements Command {}

  private enum TimeOver implements Command {
    INSTANCE
  }

  /// Answers that have arrived.
  record Found(
      List<Dispatcher.Load> dispatchers,
      List<WorkerPool.Load> pools,
      Queues.@Nullable Current rules) {

    /// Answers of a stopped engine.
    static final Found NOTHING = new Found(List.of(), List.of(), null);

    Found {
      dispatchers = List.copyOf(dispatchers);
      pools = List.copyOf(pools);
    }

    /// Sum of all pools' loads; null if none has answered.
    WorkerPool.@Nullable Load workers() {
      return pools.stream().reduce(WorkerPool.Load::plus).orElse(null);
    }

    Found plus(Dispatcher.Load load) {
      var all = new ArrayList<>(dispatchers);
      all.add(load);
      return new Found(all, pools, rules);
    }

    Found plus(WorkerPool.Load load) {
      var all = new ArrayList<>(pools);
      all.add(load);
      return new Found(dispatchers, all, rules);
    }

    Found with(Queues.Current current) {
      return new Found(dispatchers, pools, current);
    }

    int answers() {
      return dispatchers.size() + pools.size() + (rules == null ? 0 : 1);
    }
  }

  /// Receiver of the answers.
  interface Asker {
    void tell(Found found);
  }

  static final Duration PATIENCE = Duration.ofSeconds(3);

  private final int expected;
  private final Asker asker;

  private LoadSurvey(int expected, Asker asker) {
    this.expected = expected;
    this.asker = asker;
  }

  static Behavior<Command> create(
      Collection<ActorRef<Dispatcher.Command>> dispatchers,
      Collection<ActorRef<WorkerPool.Command>> pools,
      ActorRef<Queues.Command> queues,
      Asker asker) {
    return FatalErrorGuard.setup(
        context -> {
          var loads = context.messageAdapter(Dispatcher.Load.class, Queue::new);
          dispatchers.forEach(dispatcher -> dispatcher.tell(new Dispatcher.GetLoad(loads)));
          var workers = context.messageAdapter(WorkerPool.Load.class, Pool::new);
          pools.forEach(pool -> pool.tell(new WorkerPool.GetLoad(workers)));
          queues.tell(
              new Queues.GetRules(context.messageAdapter(Queues.Current.class, Rules::new)));
          context.scheduleOnce(PATIENCE, context.getSelf(), TimeOver.INSTANCE);
          return new LoadSurvey(dispatchers.size() + pools.size() + 1, asker).asking(Found.NOTHING);
        });
  }

  private Behavior<Command> asking(Found found) {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Queue(var load) -> next(found.plus(load));
              case Pool(var load) -> next(found.plus(load));
              case Rules(var rules) -> next(found.with(rules));
              case TimeOver over -> answer(found);
            });
  }

  private Behavior<Command> next(Found found) {
    return found.answers() == expected ? answer(found) : asking(found);
  }

  private Behavior<Command> answer(Found found) {
    asker.tell(found);
    return Behaviors.stopped();
  }
}
