package dev.handoff.internal.job;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Messages that arrive during a job's append, in order.
final class JobStash {

  private final Deque<Job.Command> waiting = new ArrayDeque<>(4);

  /// Stashes a message. A credit offer always fits: a job has one open offer at most, and a refused
  /// offer would return immediately. During an outage of the store, the dispatcher repeats its
  /// offer and its state query: the stash contains each once.
  ///
  /// @return whether there was room
  boolean add(Job.Command message, int capacity) {
    return switch (message) {
      case Job.Claim offer -> waiting.contains(offer) || waiting.add(offer);
      case Job.Get question -> waiting.contains(question) || addIfRoom(question, capacity);
      case Job.Command other -> addIfRoom(other, capacity);
    };
  }

  private boolean addIfRoom(Job.Command message, int capacity) {
    return waiting.size() < capacity && waiting.add(message);
  }

  Job.@Nullable Command poll() {
    return waiting.poll();
  }

  void forEach(Consumer<Job.Command> to) {
    waiting.forEach(to);
  }

  void drain(Consumer<Job.Command> to) {
    while (!waiting.isEmpty()) {
      to.accept(waiting.poll());
    }
  }
}
