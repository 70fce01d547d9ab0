package dev.handoff.internal.dispatch;

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

/// Queue rules that one dispatcher applies, and its slot reports to [Queues].
final class QueueLimits {

  private static final int UNKNOWN = -1;

  private final int partition;
  private final ActorRef<Dispatcher.Command> self;
  private final ActorRef<Queues.Command> queues;
  private final Runnable tellSoon;
  private final Consumer<DispatchedAttempt> resume;
  private final Map<String, QueueGate> gates = new HashMap<>();
  private final Set<QueueGate> touched = new LinkedHashSet<>();
  private long version = UNKNOWN;
  private boolean confirming;

  /// @param tellSoon schedules a call of [#tell]
  /// @param resume resumes an attempt that waited for a slot
  QueueLimits(
      int partition,
      ActorRef<Dispatcher.Command> self,
      ActorRef<Queues.Command> queues,
      Runnable tellSoon,
      Consumer<DispatchedAttempt> resume) {
    this.partition = partition;
    this.self = self;
    this.queues = queues;
    this.tellSoon = tellSoon;
    this.resume = resume;
  }

  /// Whether the rules are known.
  boolean areKnown() {
    return version != UNKNOWN;
  }

  /// Gate of a queue; null = neither paused nor limited.
  @Nullable QueueGate gate(String queue) {
    return gates.get(queue);
  }

  /// Applies new rules. Late messages with older rules change nothing.
  ///
  /// @param beginEra counts the slots in use of a queue whose new era begins
  /// @return queues that may have changed
  List<QueueGate> apply(Dispatcher.Rules given, ToIntBiFunction<String, Long> beginEra) {
    confirming = true;
    if (given.version() < version) {
      return List.of();
    }
    version = given.version();
    given.rules().keySet().forEach(queue -> gates.computeIfAbsent(queue, this::gateOf));
    var changed = List.copyOf(gates.values());
    for (var gate : changed) {
      gate.setRule(given.rules().getOrDefault(gate.queue, QueueRule.NONE));
      long era = given.eras().getOrDefault(gate.queue, QueueGate.NONE);
      if (era != gate.era()) {
        gate.begin(era, beginEra.applyAsInt(gate.queue, era));
      }
      gate.repeat();
    }
    gates.keySet().retainAll(given.rules().keySet());
    touchAll();
    return changed;
  }

  private QueueGate gateOf(String queue) {
    return new QueueGate(queue, resume);
  }

  /// Applies a queue's total of granted slots.
  void grant(Dispatcher.Slots slots) {
    var gate = gates.get(slots.queue());
    if (gate != null) {
      gate.grant(slots.era(), slots.granted());
      touch(gate);
    }
  }

  /// Marks a queue whose demand for slots may have changed.
  void touch(String queue) {
    var gate = gates.get(queue);
    if (gate != null) {
      touch(gate);
    }
  }

  /// Marks all queues.
  void touchAll() {
    touched.addAll(gates.values());
    tellSoon.run();
  }

  private void touch(QueueGate gate) {
    touched.add(gate);
    tellSoon.run();
  }

  /// Slot era for a job just claimed; [QueueGate#NONE] for an unlimited queue.
  long slotOf(String queue) {
    var gate = gates.get(queue);
    return gate == null ? QueueGate.NONE : gate.era();
  }

  /// Frees an unused slot.
  void freeUnused(String queue, long slotEra) {
    var gate = gates.get(queue);
    if (gate != null) {
      gate.freeUnused(slotEra);
      touch(gate);
    }
  }

  /// Returns an attempt's slot, if any.
  void leave(DispatchedAttempt attempt) {
    var gate = gates.get(attempt.queue);
    if (gate != null) {
      gate.leave(attempt.slotEra);
      gate.forget(attempt);
      touch(gate);
    }
    attempt.slotEra = QueueGate.NONE;
  }

  /// Resumes an attempt without slot: with a free slot immediately, or with the next one, ahead of
  /// new jobs.
  void enter(DispatchedAttempt attempt) {
    var gate = gates.get(attempt.queue);
    if (gate == null) {
      resume.accept(attempt);
    } else {
      gate.await(attempt);
      touch(gate);
    }
  }

  /// Whether a confirmation of the rules is due.
  boolean isConfirming() {
    return confirming;
  }

  /// Repeats reports of open slots, as earlier ones may be lost.
  void repeat() {
    gates.values().stream().filter(QueueGate::isOpen).forEach(QueueGate::repeat);
    touchAll();
  }

  /// Sends changed slot reports, and confirms the rules once no job of a paused queue can be
  /// claimed any more.
  ///
  /// @param runnable number of jobs of a queue that could be claimed
  /// @param offered queues of jobs with an open offer, which may still be claimed
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
