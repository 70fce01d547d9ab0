package dev.handoff.dispatch;

import dev.handoff.job.JobNotice.Ready;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The ready jobs of one queue, by type: a job that cannot run now never stands before one of
/// another type that can.
final class Lane {

  /// Priority, then due time, then submission.
  private static final Comparator<Ready> ORDER = Lane::compare;

  final String queue;
  final int weight;
  private final Map<String, TreeSet<Ready>> byType = new HashMap<>(4);
  private @Nullable Gate gate;
  private int size;

  Lane(String queue, int weight, @Nullable Gate gate) {
    this.queue = queue;
    this.weight = weight;
    this.gate = gate;
  }

  private static int compare(Ready a, Ready b) {
    if (a.priority() != b.priority()) {
      return a.priority() > b.priority() ? -1 : 1;
    }
    int byTime = a.due().compareTo(b.due());
    return byTime != 0 ? byTime : a.job().value().compareTo(b.job().value());
  }

  /// What holds for the queue; null = nothing.
  void setGate(@Nullable Gate gate) {
    this.gate = gate;
  }

  boolean hasGate() {
    return gate != null;
  }

  /// Adds a job.
  ///
  /// @return whether it is the first of its type
  boolean add(Ready job) {
    var jobs = byType.get(job.type());
    boolean first = jobs == null;
    if (first) {
      jobs = new TreeSet<>(ORDER);
      byType.put(job.type(), jobs);
    }
    jobs.add(job);
    size++;
    return first;
  }

  /// Takes out a job that is in here.
  ///
  /// @return whether it was the last of its type
  boolean remove(Ready job) {
    var jobs = byType.get(job.type());
    jobs.remove(job);
    size--;
    if (jobs.isEmpty()) {
      byType.remove(job.type());
    }
    return jobs.isEmpty();
  }

  /// Takes out a job that is in here, and a slot for it.
  void claim(Ready job) {
    remove(job);
    if (gate != null) {
      gate.enter();
    }
  }

  /// The job of any of the types that goes first.
  @Nullable Ready first(Set<String> types) {
    Ready first = null;
    for (var entry : byType.entrySet()) {
      if (types.contains(entry.getKey())) {
        var head = entry.getValue().first();
        first = first == null || compare(head, first) < 0 ? head : first;
      }
    }
    return first;
  }

  /// How many jobs of the types may be claimed now.
  int claimable(Set<String> types) {
    return Math.min(gate == null ? Integer.MAX_VALUE : gate.most(), count(types));
  }

  /// How many jobs of the types there are.
  int count(Set<String> types) {
    int count = 0;
    for (var entry : byType.entrySet()) {
      count += types.contains(entry.getKey()) ? entry.getValue().size() : 0;
    }
    return count;
  }

  Set<String> types() {
    return byType.keySet();
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }
}
