package dev.handoff.internal.dispatch.ready;

import dev.handoff.internal.job.JobNotice.Ready;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Ready jobs of one queue, by type: a job that cannot run now never blocks a job of another type.
public final class ReadyQueue {

  public final String queue;
  final int weight;
  private final Map<String, PriorityLine> byType = new HashMap<>(4);
  private @Nullable ClaimLimit gate;
  private int size;

  ReadyQueue(String queue, int weight, @Nullable ClaimLimit gate) {
    this.queue = queue;
    this.weight = weight;
    this.gate = gate;
  }

  /// Sets the queue's pause and limit; null = none.
  void setGate(@Nullable ClaimLimit gate) {
    this.gate = gate;
  }

  boolean hasGate() {
    return gate != null;
  }

  /// Adds a job.
  ///
  /// @return whether the job is the only one of its type
  boolean add(Ready job) {
    var line = byType.get(job.type());
    if (line == null) {
      line = new PriorityLine();
      byType.put(job.type(), line);
    }
    line.add(job);
    size++;
    return line.size() == 1;
  }

  /// Removes a job; it must be present.
  ///
  /// @return whether the job was the only one of its type
  boolean remove(Ready job) {
    var line = byType.get(job.type());
    line.remove(job);
    size--;
    return line.isEmpty();
  }

  /// Removes types without jobs.
  void prune() {
    byType.values().removeIf(PriorityLine::isEmpty);
  }

  /// Removes a job, which must be present, and takes its slot.
  void claim(Ready job) {
    remove(job);
    if (gate != null) {
      gate.enter();
    }
  }

  /// First job among these types, in dispatch order.
  @Nullable Ready first(Set<String> types) {
    Ready first = null;
    for (var entry : byType.entrySet()) {
      var head = types.contains(entry.getKey()) ? entry.getValue().peek() : null;
      if (head != null && (first == null || PriorityLine.compare(head, first) < 0)) {
        first = head;
      }
    }
    return first;
  }

  /// Number of claimable jobs of these types.
  int claimable(Set<String> types) {
    return Math.min(gate == null ? Integer.MAX_VALUE : gate.most(), count(types));
  }

  /// Number of jobs of these types.
  int count(Set<String> types) {
    int count = 0;
    for (var entry : byType.entrySet()) {
      count += types.contains(entry.getKey()) ? entry.getValue().size() : 0;
    }
    return count;
  }

  /// Adds the types that have jobs.
  void addTypes(Set<String> types) {
    byType.forEach(
        (type, line) -> {
          if (!line.isEmpty()) {
            types.add(type);
          }
        });
  }

  public int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }
}
