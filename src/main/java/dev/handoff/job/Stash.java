package dev.handoff.job;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What arrives while a job's facts are being written, in order.
final class Stash {

  private final Deque<Job.Command> waiting = new ArrayDeque<>(4);

  /// Keeps a message. An offered worker is always kept: there is one at a time, and turning it away
  /// would only bring it back at once. While the store is away its dispatcher repeats the offer,
  /// and the question how the job is: each of them is kept once.
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
