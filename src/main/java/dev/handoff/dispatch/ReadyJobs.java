package dev.handoff.dispatch;

import dev.handoff.job.JobId;
import dev.handoff.job.JobNotice.Ready;
import dev.handoff.job.JobNotice.Withdrawn;
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

/// All jobs of a partition that want a worker, now or later. Each is in here once, whatever it has
/// said before.
///
/// Ready jobs are kept per queue and type. Each kind of worker, that is each set of types, has a
/// [Lineup] of the queues that have something for it.
final class ReadyJobs {

  private static final Comparator<Ready> BY_TIME =
      Comparator.comparing(Ready::due).thenComparing(job -> job.job().value());

  private final Map<JobId, Ready> jobs = new HashMap<>();
  private final Map<String, Lane> lanes = new HashMap<>();
  private final TreeSet<Ready> later = new TreeSet<>(BY_TIME);
  private final Map<String, Integer> scheduled = new HashMap<>();
  private final Map<Set<String>, Lineup> lineups = new HashMap<>();
  private final ToIntFunction<String> weights;
  private final Function<String, @Nullable Gate> gates;

  /// @param weights how much of the workers a queue gets beside others
  /// @param gates what holds for a queue; null = nothing
  ReadyJobs(ToIntFunction<String> weights, Function<String, @Nullable Gate> gates) {
    this.weights = weights;
    this.gates = gates;
  }

  /// The lineup for workers that can run the types. Has to be asked for again when [#serve] has
  /// left it out.
  Lineup lineup(Set<String> types) {
    return lineups.computeIfAbsent(
        types,
        kind -> {
          var lineup = new Lineup(kind);
          lanes.values().forEach(lineup::refresh);
          return lineup;
        });
  }

  /// From now on there are only workers of these kinds.
  void serve(Collection<Set<String>> kinds) {
    lineups.keySet().retainAll(kinds);
  }

  /// Adds a job, to its queue or to those that wait for their time. Replaces what the same job has
  /// said before.
  void add(Ready job, Instant now) {
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

  /// Takes out a job that does not want a worker any more.
  ///
  /// @return whether it was in here
  boolean remove(Withdrawn gone) {
    var job = jobs.get(gone.job());
    boolean isHere = job != null && Objects.equals(job.ref(), gone.ref());
    if (isHere) {
      jobs.remove(gone.job());
      drop(job);
    }
    return isHere;
  }

  /// Takes the job whose turn it is, and a slot for it if its queue has a limit; null if there is
  /// none for such workers.
  @Nullable Ready take(Lineup lineup) {
    var job = lineup.next();
    if (job != null) {
      jobs.remove(job.job());
      var lane = lanes.get(job.queue());
      lane.claim(job);
      refresh(lane);
    }
    return job;
  }

  /// Moves what is due by now into its queue.
  ///
  /// @return whether anything moved
  boolean release(Instant now) {
    boolean moved = false;
    while (!later.isEmpty() && !later.first().due().isAfter(now)) {
      var job = later.pollFirst();
      unschedule(job);
      enter(job);
      moved = true;
    }
    return moved;
  }

  /// When the next job is due; empty if none waits for its time.
  Optional<Instant> nextDue() {
    return later.isEmpty() ? Optional.empty() : Optional.of(later.first().due());
  }

  /// What holds for a queue has changed.
  void refresh(String queue) {
    var lane = lanes.get(queue);
    if (lane != null) {
      lane.setGate(gates.apply(queue));
      refresh(lane);
    }
  }

  /// How many jobs of a queue are ready that could be run by workers of these types.
  int ready(String queue, Set<String> types) {
    var lane = lanes.get(queue);
    return lane == null ? 0 : lane.count(types);
  }

  /// Of which types jobs are ready.
  Set<String> types() {
    var types = new HashSet<String>();
    lanes.values().forEach(lane -> lane.addTypes(types));
    return types;
  }

  Collection<Lane> lanes() {
    return lanes.values();
  }

  /// How many jobs of each queue wait for their time.
  Map<String, Integer> scheduled() {
    return scheduled;
  }

  /// Forgets queues that have nothing any more.
  void prune() {
    lineups.values().forEach(Lineup::prune);
    lanes.values().forEach(Lane::prune);
    lanes.values().removeIf(lane -> lane.isEmpty() && !lane.hasGate() && !isRemembered(lane));
  }

  private boolean isRemembered(Lane lane) {
    return lineups.values().stream().anyMatch(lineup -> lineup.remembers(lane));
  }

  private void enter(Ready job) {
    var lane = lanes.get(job.queue());
    if (lane == null) {
      lane = new Lane(job.queue(), weights.applyAsInt(job.queue()), gates.apply(job.queue()));
      lanes.put(job.queue(), lane);
    }
    if (lane.add(job)) {
      refresh(lane);
    }
  }

  private void drop(Ready job) {
    if (later.remove(job)) {
      unschedule(job);
    } else {
      var lane = lanes.get(job.queue());
      if (lane.remove(job)) {
        refresh(lane);
      }
    }
  }

  private void unschedule(Ready job) {
    scheduled.computeIfPresent(job.queue(), (queue, count) -> count == 1 ? null : count - 1);
  }

  private void refresh(Lane lane) {
    for (var lineup : lineups.values()) {
      lineup.refresh(lane);
    }
  }
}
