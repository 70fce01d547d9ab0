package dev.handoff.dispatch;

import dev.handoff.job.JobId;
import dev.handoff.job.JobNotice.Ready;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// All jobs of a partition that want a worker, now or later. Fair between queues by their weight: of the queues that
/// could go, the one that has had the least for its weight goes first.
///
/// A job that is withdrawn stays where it is until it would be its turn: finding it in a heap would cost more.
final class ReadyJobs {

  private static final Comparator<Lane> LEAST_SERVED =
      Comparator.comparingDouble((Lane lane) -> lane.pass).thenComparing(lane -> lane.queue);

  private final Map<String, Lane> lanes = new HashMap<>();
  private final TreeSet<Lane> filled = new TreeSet<>(LEAST_SERVED);
  private final PriorityQueue<Ready> due = new PriorityQueue<>(Comparator.comparing(Ready::due));
  private final Map<String, Long> scheduled = new HashMap<>();
  private final Set<JobId> withdrawn = new HashSet<>();
  private final ToIntFunction<String> weights;
  private double served;

  ReadyJobs(ToIntFunction<String> weights) {
    this.weights = weights;
  }

  /// Adds a job, to its queue or to those that wait for their time.
  void add(Ready job, Instant now) {
    if (job.due().isAfter(now)) {
      due.add(job);
      scheduled.merge(job.queue(), 1L, Long::sum);
    } else {
      enter(job);
    }
  }

  /// A job that is in here does not want a worker any more.
  void withdraw(JobId job) {
    withdrawn.add(job);
  }

  /// Moves what is due by now into its queue.
  ///
  /// @return whether anything moved
  boolean release(Instant now) {
    boolean moved = false;
    while (!due.isEmpty() && !due.peek().due().isAfter(now)) {
      var job = due.poll();
      scheduled.merge(job.queue(), -1L, Long::sum);
      if (!withdrawn.remove(job.job())) {
        enter(job);
        moved = true;
      }
    }
    return moved;
  }

  /// How long until the next job is due; empty if none waits for its time.
  Optional<Duration> untilNext(Instant now) {
    return due.isEmpty() ? Optional.empty() : Optional.of(Duration.between(now, due.peek().due()));
  }

  /// Takes the job whose turn it is, of the types that a worker can run.
  @Nullable Ready take(Set<String> types) {
    for (var lane : filled) {
      var head = lane.isOpen() ? head(lane, types) : null;
      if (head != null) {
        filled.remove(lane);
        lane.remove(head);
        lane.slots -= lane.rule.maxRunning() == null ? 0 : 1;
        served = lane.pass;
        lane.pass += 1.0 / lane.weight;
        refill(lane);
        return head;
      }
      if (lane.isEmpty()) {
        filled.remove(lane);
        return take(types);
      }
    }
    return null;
  }

  /// How many jobs of a type could be claimed now.
  int wanted(String type) {
    int count = 0;
    for (var lane : filled) {
      count += lane.wanted(type);
    }
    return count;
  }

  /// Of which types jobs are ready.
  Set<String> types() {
    var types = new HashSet<String>();
    filled.forEach(lane -> types.addAll(lane.types()));
    return types;
  }

  Lane lane(String queue, QueueRule rule) {
    return lanes.computeIfAbsent(queue, name -> new Lane(name, weights.applyAsInt(name), rule));
  }

  Collection<Lane> lanes() {
    return lanes.values();
  }

  /// How many jobs of each queue wait for their time.
  Map<String, Long> scheduled() {
    return scheduled;
  }

  private @Nullable Ready head(Lane lane, Set<String> types) {
    var head = lane.peek(types);
    while (head != null && withdrawn.remove(head.job())) {
      lane.remove(head);
      head = lane.peek(types);
    }
    return head;
  }

  private void enter(Ready job) {
    var lane = lane(job.queue(), QueueRule.NONE);
    filled.remove(lane);
    if (lane.isEmpty()) {
      lane.pass = Math.max(lane.pass, served);
    }
    lane.add(job);
    filled.add(lane);
  }

  private void refill(Lane lane) {
    if (!lane.isEmpty()) {
      filled.add(lane);
    }
  }
}
