package dev.handoff.dispatch;

import java.util.LinkedHashSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What holds for one queue at one dispatcher: whether it is paused, and, if it has a limit, how
/// many more of its jobs may go on.
///
/// Slots are counted, not moved: [Queues] says how many it has granted in all, the dispatcher how
/// many it has given back in all. So a message that is lost, doubled or late is made good by the
/// next one. A count belongs to an era: each change of the limit begins a new one, with what is in
/// use by then.
///
/// Attempts that have waited for a child come first: as long as one of them waits for a slot, no
/// slot is free. So new jobs get what is left, whichever way a slot became free.
final class Gate {

  /// The era of a queue without a limit.
  static final long NONE = 0;

  final String queue;
  private final Consumer<Handed> resume;
  private final LinkedHashSet<Handed> waiting = new LinkedHashSet<>();
  private QueueRule rule = QueueRule.NONE;
  private long era = NONE;
  private int free;
  private long granted;
  private long returned;
  private Queues.@Nullable SlotsHeld told;

  /// @param resume lets an attempt go on that has its slot again
  Gate(String queue, Consumer<Handed> resume) {
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

  /// Begins a new count.
  ///
  /// @param using how many slots are in use already
  void begin(long newEra, int using) {
    era = newEra;
    free = 0;
    granted = using;
    returned = 0;
    told = null;
    serve();
  }

  /// How many jobs may be claimed now.
  int most() {
    if (rule.paused()) {
      return 0;
    }
    return era == NONE ? Integer.MAX_VALUE : free;
  }

  /// So many slots have been granted in all.
  void grant(long ofEra, long total) {
    if (ofEra == era && total > granted) {
      free += (int) (total - granted);
      granted = total;
      serve();
    }
  }

  /// Takes a slot, if the queue has a limit.
  void enter() {
    free -= era == NONE ? 0 : 1;
  }

  /// A slot was not used.
  ///
  /// @param slot the era in which it was taken
  void keep(long slot) {
    free += slot == era && era != NONE ? 1 : 0;
    serve();
  }

  /// What a slot was used for is over.
  ///
  /// @param slot the era in which it was taken
  void leave(long slot) {
    returned += slot == era && era != NONE ? 1 : 0;
  }

  /// An attempt that gave its slot away wants to go on: now, or with the next slot that is free.
  void await(Handed attempt) {
    waiting.add(attempt);
    serve();
  }

  void forget(Handed attempt) {
    waiting.remove(attempt);
  }

  private void serve() {
    while (!waiting.isEmpty() && (era == NONE || free > 0)) {
      enter();
      var attempt = waiting.removeFirst();
      attempt.slot = era;
      resume.accept(attempt);
    }
  }

  /// Gives back what is not needed, and says how many more slots would be of use.
  ///
  /// @param runnable how many jobs could be claimed with them
  /// @return null if nothing has changed since the last time, or the queue has no limit
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

  /// Whether slots are in use, or wanted.
  boolean isOpen() {
    return told != null && (told.wanted() > 0 || told.granted() > told.returned());
  }

  /// Says the same again at the next chance.
  void repeat() {
    told = null;
  }

  private int limit() {
    return rule.maxRunning() == null ? 0 : rule.maxRunning();
  }
}
