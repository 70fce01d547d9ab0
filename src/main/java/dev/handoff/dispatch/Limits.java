package dev.handoff.dispatch;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// The rules of queues as one dispatcher goes by them, and what it tells [Queues] of its slots.
final class Limits {

  private static final int UNKNOWN = -1;

  private final int partition;
  private final ActorRef<Dispatcher.Command> self;
  private final ActorRef<Queues.Command> queues;
  private final Runnable tellSoon;
  private final Consumer<Handed> resume;
  private final Map<String, Gate> gates = new HashMap<>();
  private final Set<Gate> touched = new LinkedHashSet<>();
  private long version = UNKNOWN;
  private boolean confirming;

  /// @param tellSoon sees to it that [#tell] is called
  /// @param resume lets an attempt go on that has waited for a slot
  Limits(
      int partition,
      ActorRef<Dispatcher.Command> self,
      ActorRef<Queues.Command> queues,
      Runnable tellSoon,
      Consumer<Handed> resume) {
    this.partition = partition;
    this.self = self;
    this.queues = queues;
    this.tellSoon = tellSoon;
    this.resume = resume;
  }

  /// Whether the rules are known at all.
  boolean areKnown() {
    return version != UNKNOWN;
  }

  /// What holds for a queue; null = nothing.
  @Nullable Gate gate(String queue) {
    return gates.get(queue);
  }

  /// Goes by new rules. Old ones that come late change nothing.
  ///
  /// @param beginEra counts the slots of a queue that are in use when a new era begins
  /// @return the queues for which something may have changed
  List<Gate> apply(Dispatcher.Rules given, ToIntBiFunction<String, Long> beginEra) {
    confirming = true;
    if (given.version() < version) {
      return List.of();
    }
    version = given.version();
    given.rules().keySet().forEach(queue -> gates.computeIfAbsent(queue, this::gateOf));
    var changed = List.copyOf(gates.values());
    for (var gate : changed) {
      gate.setRule(given.rules().getOrDefault(gate.queue, QueueRule.NONE));
      long era = given.eras().getOrDefault(gate.queue, Gate.NONE);
      if (era != gate.era()) {
        gate.begin(era, beginEra.applyAsInt(gate.queue, era));
      }
      gate.repeat();
    }
    gates.keySet().retainAll(given.rules().keySet());
    touchAll();
    return changed;
  }

  private Gate gateOf(String queue) {
    return new Gate(queue, resume);
  }

  /// So many slots of a queue have been granted in all.
  void grant(Dispatcher.Slots slots) {
    var gate = gates.get(slots.queue());
    if (gate != null) {
      gate.grant(slots.era(), slots.granted());
      touch(gate);
    }
  }

  /// Something of a queue has changed on which depends how many slots it could use.
  void touch(String queue) {
    var gate = gates.get(queue);
    if (gate != null) {
      touch(gate);
    }
  }

  /// The same for all queues.
  void touchAll() {
    touched.addAll(gates.values());
    tellSoon.run();
  }

  private void touch(Gate gate) {
    touched.add(gate);
    tellSoon.run();
  }

  /// The era of the slot that a job of the queue has just taken; [Gate#NONE] if it needs none.
  long slotOf(String queue) {
    var gate = gates.get(queue);
    return gate == null ? Gate.NONE : gate.era();
  }

  /// A slot that was taken was not used.
  void keep(String queue, long slot) {
    var gate = gates.get(queue);
    if (gate != null) {
      gate.keep(slot);
      touch(gate);
    }
  }

  /// An attempt gives its slot back, if it has one.
  void leave(Handed attempt) {
    var gate = gates.get(attempt.queue);
    if (gate != null) {
      gate.leave(attempt.slot);
      gate.forget(attempt);
      touch(gate);
    }
    attempt.slot = Gate.NONE;
  }

  /// An attempt without a slot wants to go on: it gets its slot now, or before any new job does.
  void enter(Handed attempt) {
    var gate = gates.get(attempt.queue);
    if (gate == null) {
      resume.accept(attempt);
    } else {
      gate.await(attempt);
      touch(gate);
    }
  }

  /// Whether a confirmation of the rules is owed.
  boolean isConfirming() {
    return confirming;
  }

  /// Says again what is open: the last time may not have been heard.
  void repeat() {
    gates.values().stream().filter(Gate::isOpen).forEach(Gate::repeat);
    touchAll();
  }

  /// Tells what has changed, and confirms the rules once no job of a paused queue can be claimed
  /// any more.
  ///
  /// @param runnable how many jobs of a queue could be claimed
  /// @param offered the queues of the jobs that may be claimed yet
  void tell(ToIntFunction<String> runnable, Stream<String> offered) {
    for (var gate : touched) {
      var news = gate.news(partition, runnable.applyAsInt(gate.queue));
      if (news != null) {
        queues.tell(news);
      }
    }
    touched.clear();
    if (confirming && offered.noneMatch(this::isPaused)) {
      confirming = false;
      queues.tell(new Queues.Confirmed(partition, self, version));
    }
  }

  private boolean isPaused(String queue) {
    var gate = gates.get(queue);
    return gate != null && gate.isPaused();
  }
}
