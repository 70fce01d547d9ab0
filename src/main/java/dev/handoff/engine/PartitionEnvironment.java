package dev.handoff.engine;

import dev.handoff.dispatch.Dispatcher;
import dev.handoff.dispatch.Queues;
import dev.handoff.job.PartitionNotice;
import dev.handoff.ledger.LedgerEnvironment;
import dev.handoff.plan.PlanEnvironment;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.pekko.actor.typed.ActorRef;

/// What every partition of an engine works with.
///
/// @param owner who owns the partitions, in the words that a second one would be told
record PartitionEnvironment(
    String owner,
    LedgerEnvironment ledger,
    EngineSettings settings,
    InstantSource clock,
    Peers peers) {

  /// The actors around a partition.
  record Peers(
      ActorRef<Engine.Command> engine,
      ActorRef<Queues.Command> queues,
      ActorRef<Events.Command> events,
      PlanEnvironment.Helpers plans) {}

  /// How many messages wait while a partition is read back.
  static final int STASH = 1_000;

  Dispatcher.Environment dispatcher(int partition, ActorRef<PartitionNotice> jobs) {
    return new Dispatcher.Environment(
        partition, settings.dispatch(), clock, settings::weight, peers.queues(), jobs);
  }

  ActorRef<Engine.Command> engine() {
    return peers.engine();
  }

  ActorRef<Events.Command> events() {
    return peers.events();
  }

  Duration retryAfter() {
    return settings.ledger().retryAfter();
  }
}
