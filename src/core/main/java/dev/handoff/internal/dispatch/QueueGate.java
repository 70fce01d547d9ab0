package dev.handoff.internal.dispatch;

import dev.handoff.internal.dispatch.ready.ClaimLimit;
import java.util.LinkedHashSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Pause and limit of one queue at one dispatcher.
///
/// Slots are counted as totals, not passed as tokens: [Queues] tells the total of granted slots,
/// the dispatcher the total of returned slots. So the next message repairs a lost, doubled or late
/// one. A count belongs to an era: each change of the limit begins a new era with the slots then in
/// use.
///
/// Attempts that resume after waiting for a child go first: while one of them waits for a slot, no
/// slot is free. New jobs get the remaining slots, however a slot became free.
final class QueueGate implements ClaimLimit {

  /// Era of a queue without a limit.
  static final long NONE = 0;

  final String queue;
  private final Consumer<DispatchedAttempt> resume;
  private final LinkedHashSet<DispatchedAttempt> waiting = new LinkedHashSet<>();
  private QueueRule rule = QueueRule.NONE;
  private long era = NONE;
  private int free;

  /// Slots that were in use when the era began. The limit may be lower now, so the first ones to
  /// come back are returned, not used again.
  private int carried;

  private long granted;
  private long returned;
  private Queues.@Nullable SlotsHeld told;

  /// @param resume resumes an attempt that has a slot again
  QueueGate(String queue, Consumer<DispatchedAttempt> resume) {
    this.queue = queue;
    this.resume = resume;
  }

  void setRule(QueueRule rule) {
    this.rule = rule;
  }

  boolean isPaused() {
    return rule.paused();
  }

  long era() {
    return era;
  }

  /// Begins a new era.
  ///
  /// @param using number of slots already in use
  void begin(long newEra, int using) {
    era = newEra;
    free = 0;
    carried = using;
    granted = using;
    returned = 0;
    told = null;
    serve();
  }

  /// Number of claimable jobs.
  @Override
  public int most() {
    if (rule.paused()) {
      return 0;
    }
    return era == NONE ? Integer.MAX_VALUE : free;
  }

  /// Applies a total of granted slots.
  void grant(long ofEra, long total) {
    if (ofEra == era && total > granted) {
      free += (int) (total - granted);
      granted = total;
      serve();
    }
  }

  /// Takes a slot; an unlimited queue needs none.
  @Override
  public void enter() {
    free -= era == NONE ? 0 : 1;
  }

  /// Frees a slot that was not used: for the next job, or to be returned if it is from before the
  /// era.
  ///
  /// @param slotEra era in which the slot was taken
  void freeUnused(long slotEra) {
    if (carried > 0) {
      leave(slotEra);
    } else {
      free += slotEra == era && era != NONE ? 1 : 0;
    }
    serve();
  }

  /// Returns a used slot.
  ///
  /// @param slotEra era in which the slot was taken
  void leave(long slotEra) {
    if (slotEra == era && era != NONE) {
      returned++;
      carried -= carried > 0 ? 1 : 0;
    }
  }

  /// Resumes an attempt without slot: immediately, or with the next free slot.
  void await(DispatchedAttempt attempt) {
    waiting.add(attempt);
    serve();
  }

  void forget(DispatchedAttempt attempt) {
    waiting.remove(attempt);
  }

  private void serve() {
    while (!waiting.isEmpty() && (era == NONE || free > 0)) {
      enter();
      var attempt = waiting.removeFirst();
      attempt.slotEra = era;
      resume.accept(attempt);
    }
  }

  /// Returns surplus slots, and computes the demand for further slots.
  ///
  /// @param runnable number of jobs that could be claimed with slots
  /// @return null if nothing changed since the last call, or the queue has no limit
  Queues.@Nullable SlotsHeld news(int partition, int runnable) {
    if (era == NONE) {
      return null;
    }
    long useful = (rule.paused() ? 0 : runnable) + (long) waiting.size();
    if (free > useful) {
      returned += free - useful;
      free = (int) useful;
    }
    int wanted = (int) Math.min(useful - free, limit());
    var held = new Queues.SlotsHeld(partition, queue, era, granted, returned, wanted);
    boolean same = held.equals(told);
    told = held;
    return same ? null : held;
  }

  /// Whether slots are in use or wanted.
  boolean isOpen() {
    return told != null && (told.wanted() > 0 || told.granted() > told.returned());
  }

  /// Makes the next call of [#news] repeat the report.
  void repeat() {
    told = null;
  }

  private int limit() {
    return rule.maxRunning() == null ? 0 : rule.maxRunning();
  }
}
