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
  private final Map<String, Line> byType = new HashMap<>();
  QueueRule rule;
  int slots;
  int asked;
  double pass;
  private int size;

  Lane(String queue, int weight, QueueRule rule) {
    this.queue = queue;
    this.weight = weight;
    this.rule = rule;
  }

  void add(Ready job) {
    byType.computeIfAbsent(job.type(), type -> new Line()).add(job);
    size++;
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  /// Whether a job of it may be claimed now, if there is a worker for it.
  boolean isOpen() {
    return !rule.paused() && (rule.maxRunning() == null || slots > 0);
  }

  /// How many of its jobs could be claimed now by workers that can run the type.
  int wanted(String type) {
    var jobs = byType.get(type);
    if (jobs == null || rule.paused()) {
      return 0;
    }
    return rule.maxRunning() == null ? jobs.size() : Math.min(jobs.size(), slots);
  }

  int sizeOf(String type) {
    var jobs = byType.get(type);
    return jobs == null ? 0 : jobs.size();
  }

  Set<String> types() {
    return byType.keySet();
  }

  /// The first job of any of the types, without taking it.
  @Nullable Ready peek(Set<String> types) {
    Ready first = null;
    for (var entry : byType.entrySet()) {
      var head = types.contains(entry.getKey()) ? entry.getValue().peek() : null;
      if (head != null && (first == null || Line.compare(head, first) < 0)) {
        first = head;
      }
    }
    return first;
  }

  void remove(Ready head) {
    var jobs = byType.get(head.type());
    if (jobs.peek() != head) {
      throw new IllegalStateException("only the head of a queue can be taken");
    }
    jobs.poll();
    size--;
    if (jobs.isEmpty()) {
      byType.remove(head.type());
    }
  }
}
