package dev.handoff.internal.engine;

import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.Queues;
import dev.handoff.internal.job.PartitionNotice;
import dev.handoff.internal.ledger.LedgerEnvironment;
import dev.handoff.internal.plan.PlanEnvironment;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.pekko.actor.typed.ActorRef;

/// Collaborators of all partitions of an engine.
///
/// @param owner owner of the partitions, as shown to a second engine
record PartitionEnvironment(
    String owner,
    LedgerEnvironment ledger,
    EngineSettings settings,
    InstantSource clock,
    Peers peers) {

  /// Actors around a partition.
  record Peers(
      ActorRef<Engine.Command> engine,
      ActorRef<Queues.Command> queues,
      ActorRef<EventBuffer.Command> events,
      PlanEnvironment.Helpers plans) {}

  /// Number of messages that wait during recovery.
  static final int STASH = 1_000;

  Dispatcher.Environment dispatcher(int partition, ActorRef<PartitionNotice> jobs) {
    return new Dispatcher.Environment(
        partition, settings.dispatch(), clock, settings::weight, peers.queues(), jobs);
  }

  ActorRef<Engine.Command> engine() {
    return peers.engine();
  }

  ActorRef<EventBuffer.Command> events() {
    return peers.events();
  }

  Duration retryAfter() {
    return settings.ledger().retryAfter();
  }
}
