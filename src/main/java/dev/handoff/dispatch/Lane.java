package dev.handoff.dispatch;

import dev.handoff.job.JobNotice.Ready;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The ready jobs of one queue, by type: a job that cannot run now never stands before one of
/// another type that can.
final class Lane {

  final String queue;
  final int weight;
  private final Map<String, Line> byType = new HashMap<>(4);
  private @Nullable Gate gate;
  private int size;

  Lane(String queue, int weight, @Nullable Gate gate) {
    this.queue = queue;
    this.weight = weight;
    this.gate = gate;
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
  /// @return whether it is the only one of its type
  boolean add(Ready job) {
    var line = byType.get(job.type());
    if (line == null) {
      line = new Line();
      byType.put(job.type(), line);
    }
    line.add(job);
    size++;
    return line.size() == 1;
  }

  /// Takes out a job that is in here.
  ///
  /// @return whether it was the only one of its type
  boolean remove(Ready job) {
    var line = byType.get(job.type());
    line.remove(job);
    size--;
    return line.isEmpty();
  }

  /// Forgets types of which there are no jobs.
  void prune() {
    byType.values().removeIf(Line::isEmpty);
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
      var head = types.contains(entry.getKey()) ? entry.getValue().peek() : null;
      if (head != null && (first == null || Line.compare(head, first) < 0)) {
        first = head;
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

  /// Adds the types of which there are jobs.
  void addTypes(Set<String> types) {
    byType.forEach(
        (type, line) -> {
          if (!line.isEmpty()) {
            types.add(type);
          }
        });
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }
}
