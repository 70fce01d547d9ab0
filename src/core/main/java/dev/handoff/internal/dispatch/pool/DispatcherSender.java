package dev.handoff.internal.dispatch.pool;

import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.PoolMessage;
import dev.handoff.internal.job.WorkerCredit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/// Messages of a pool to its dispatchers.
///
/// @param introduction registration of the pool
record DispatcherSender(PoolMessage.Register introduction, DispatcherLinks links) {

  void register(ActorRef<Dispatcher.Command> dispatcher) {
    dispatcher.tell(introduction);
  }

  void leave(ActorRef<Dispatcher.Command> dispatcher) {
    dispatcher.tell(new PoolMessage.Leave(introduction.pool()));
  }

  /// Recalls lent credits that are needed elsewhere.
  void recall(DispatcherLink link) {
    link.dispatcher.tell(new PoolMessage.Recall(introduction.pool()));
  }

  /// Sends a worker's credit to its dispatcher.
  void credit(DispatcherLink link, PoolWorker worker) {
    var credit = new WorkerCredit(introduction.pool(), worker.credit, worker.name, worker.orders);
    link.dispatcher.tell(new PoolMessage.Credited(link.epoch, credit));
  }

  /// Reports an attempt that waits for a child, or asks to resume; ignores others.
  void waiting(PoolWorker worker) {
    var link = links.get(worker.partition);
    if (link != null && worker.doing == PoolWorker.Doing.PARKED) {
      link.dispatcher.tell(
          new PoolMessage.Parked(introduction.pool(), worker.credit, worker.job, worker.round));
    } else if (link != null && worker.doing == PoolWorker.Doing.ASKING) {
      link.dispatcher.tell(
          new PoolMessage.Unpark(introduction.pool(), worker.credit, worker.job, worker.round));
    }
  }

  /// Sends each dispatcher a heartbeat with its own open credits.
  ///
  /// @param upTo last credit given to any dispatcher
  void beat(long now, long upTo, Collection<PoolWorker> given) {
    var listed = new HashMap<Integer, List<Long>>();
    for (var worker : given) {
      listed.computeIfAbsent(worker.partition, none -> new ArrayList<>()).add(worker.credit);
    }
    for (var link : links.all()) {
      var own = listed.getOrDefault(link.partition, List.of());
      link.dispatcher.tell(new PoolMessage.Beat(introduction.pool(), now, upTo, own));
    }
  }
}
