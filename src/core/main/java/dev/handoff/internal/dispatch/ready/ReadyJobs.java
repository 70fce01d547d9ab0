package dev.handoff.internal.dispatch.ready;

import dev.handoff.JobId;
import dev.handoff.internal.job.JobNotice.Ready;
import dev.handoff.internal.job.JobNotice.Withdrawn;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// Jobs of a partition that want a worker, now or later. Each job is present once, with its latest
/// `Ready`.
///
/// Ready jobs are kept per queue and type. Each kind of worker (a set of types) has a [FairOrder]
/// of queues with suitable jobs.
public final class ReadyJobs {

  private static final Comparator<Ready> BY_TIME =
      Comparator.comparing(Ready::due).thenComparing(job -> job.job().value());

  private final Map<JobId, Ready> jobs = new HashMap<>();
  private final Map<String, ReadyQueue> queues = new HashMap<>();
  private final TreeSet<Ready> later = new TreeSet<>(BY_TIME);
  private final Map<String, Integer> scheduled = new HashMap<>();
  private final Map<Set<String>, FairOrder> orders = new HashMap<>();
  private final ToIntFunction<String> weights;
  private final Function<String, @Nullable ClaimLimit> gates;

  /// @param weights share of the workers that a queue gets, relative to other queues
  /// @param gates gate of a queue; null = neither paused nor limited
  public ReadyJobs(ToIntFunction<String> weights, Function<String, @Nullable ClaimLimit> gates) {
    this.weights = weights;
    this.gates = gates;
  }

  /// Fair order for workers of these types. Must be fetched again after [#serve] has dropped it.
  public FairOrder order(Set<String> types) {
    return orders.computeIfAbsent(
        types,
        kind -> {
          var order = new FairOrder(kind);
          queues.values().forEach(order::refresh);
          return order;
        });
  }

  /// Keeps only the orders for these kinds of workers.
  public void serve(Collection<Set<String>> kinds) {
    orders.keySet().retainAll(kinds);
  }

  /// Adds a job to its queue, or to the scheduled jobs. Replaces the job's earlier entry.
  public void add(Ready job, Instant now) {
    var before = jobs.put(job.job(), job);
    if (before == job) {
      return;
    }
    if (before != null) {
      drop(before);
    }
    if (job.due().isAfter(now)) {
      later.add(job);
      scheduled.merge(job.queue(), 1, Integer::sum);
    } else {
      enter(job);
    }
  }

  /// Removes a job that needs no worker any more.
  ///
  /// @return whether the job was present
  public boolean remove(Withdrawn gone) {
    var job = jobs.get(gone.job());
    boolean isHere = job != null && Objects.equals(job.ref(), gone.ref());
    if (isHere) {
      jobs.remove(gone.job());
      drop(job);
    }
    return isHere;
  }

  /// Takes the next job and its slot, if its queue is limited; null if no job suits these workers.
  public @Nullable Ready take(FairOrder order) {
    var job = order.next();
    if (job != null) {
      jobs.remove(job.job());
      var readyQueue = queues.get(job.queue());
      readyQueue.claim(job);
      refresh(readyQueue);
    }
    return job;
  }

  /// Moves due jobs into their queues.
  ///
  /// @return whether a job moved
  public boolean release(Instant now) {
    boolean moved = false;
    while (!later.isEmpty() && !later.first().due().isAfter(now)) {
      var job = later.pollFirst();
      unschedule(job);
      enter(job);
      moved = true;
    }
    return moved;
  }

  /// Time of the next due job; empty if none.
  public Optional<Instant> nextDue() {
    return later.isEmpty() ? Optional.empty() : Optional.of(later.first().due());
  }

  /// Updates a queue after its rule or slots changed.
  public void refresh(String queue) {
    var readyQueue = queues.get(queue);
    if (readyQueue != null) {
      readyQueue.setGate(gates.apply(queue));
      refresh(readyQueue);
    }
  }

  /// Number of ready jobs of a queue that workers of these types can run.
  public int ready(String queue, Set<String> types) {
    var readyQueue = queues.get(queue);
    return readyQueue == null ? 0 : readyQueue.count(types);
  }

  /// Types of the ready jobs.
  public Set<String> types() {
    var types = new HashSet<String>();
    queues.values().forEach(readyQueue -> readyQueue.addTypes(types));
    return types;
  }

  public Collection<ReadyQueue> queues() {
    return queues.values();
  }

  /// Number of scheduled jobs per queue.
  public Map<String, Integer> scheduled() {
    return scheduled;
  }

  /// Removes empty queues.
  public void prune() {
    orders.values().forEach(FairOrder::prune);
    queues.values().forEach(ReadyQueue::prune);
    queues
        .values()
        .removeIf(
            readyQueue ->
                readyQueue.isEmpty() && !readyQueue.hasGate() && !isRemembered(readyQueue));
  }

  private boolean isRemembered(ReadyQueue readyQueue) {
    return orders.values().stream().anyMatch(order -> order.remembers(readyQueue));
  }

  private void enter(Ready job) {
    var readyQueue = queues.get(job.queue());
    if (readyQueue == null) {
      readyQueue =
          new ReadyQueue(job.queue(), weights.applyAsInt(job.queue()), gates.apply(job.queue()));
      queues.put(job.queue(), readyQueue);
    }
    if (readyQueue.add(job)) {
      refresh(readyQueue);
    }
  }

  private void drop(Ready job) {
    if (later.remove(job)) {
      unschedule(job);
    } else {
      var readyQueue = queues.get(job.queue());
      if (readyQueue.remove(job)) {
        refresh(readyQueue);
      }
    }
  }

  private void unschedule(Ready job) {
    scheduled.computeIfPresent(job.queue(), (queue, count) -> count == 1 ? null : count - 1);
  }

  private void refresh(ReadyQueue readyQueue) {
    for (var order : orders.values()) {
      order.refresh(readyQueue);
    }
  }
}
