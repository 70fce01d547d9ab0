package dev.handoff.internal.dispatch;

import dev.handoff.internal.dispatch.ready.ReadyJobs;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Counts of a dispatcher's jobs and attempts, for lists and health.
final class LoadReport {

  private final Map<String, Integer> queued = new HashMap<>();
  private final Map<String, Integer> scheduled;
  private final Map<String, Integer> running = new HashMap<>();
  private final Set<String> types;

  LoadReport(
      ReadyJobs ready, Collection<WorkOffer> offers, Collection<DispatchedAttempt> attempts) {
    ready
        .queues()
        .forEach(readyQueue -> queued.merge(readyQueue.queue, readyQueue.size(), Integer::sum));
    offers.forEach(offer -> queued.merge(offer.job.queue(), 1, Integer::sum));
    attempts.forEach(attempt -> running.merge(attempt.queue, 1, Integer::sum));
    scheduled = ready.scheduled();
    types = ready.types();
  }

  /// @param known types that some pool can run
  Dispatcher.Load load(int partition, Set<String> known) {
    var names = new HashSet<>(queued.keySet());
    names.addAll(scheduled.keySet());
    names.addAll(running.keySet());
    var queues = new HashMap<String, Dispatcher.QueueLoad>();
    names.forEach(queue -> queues.put(queue, load(queue)));
    var unknown = new HashSet<>(types);
    unknown.removeAll(known);
    return new Dispatcher.Load(partition, queues, unknown);
  }

  private Dispatcher.QueueLoad load(String queue) {
    return new Dispatcher.QueueLoad(
        queued.getOrDefault(queue, 0),
        scheduled.getOrDefault(queue, 0),
        running.getOrDefault(queue, 0));
  }
}
