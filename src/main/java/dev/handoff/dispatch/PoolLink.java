package dev.handoff.dispatch;

import dev.handoff.job.PoolId;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;

/// What a dispatcher knows of one worker pool.
final class PoolLink {

  final PoolId id;
  final Set<String> types;
  final int workers;
  final boolean remote;
  final ActorRef<WorkerPool.Command> ref;
  long seen;
  long heardAt;
  boolean leaving;
  Map<String, Integer> lastWant = Map.of();
  long lastSeenTold = -1;

  PoolLink(Dispatcher.Register register, long now) {
    this.id = register.pool();
    this.types = Set.copyOf(register.types());
    this.workers = register.workers();
    this.remote = register.remote();
    this.ref = register.ref();
    this.heardAt = now;
  }
}
