package dev.handoff.internal.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Waiting appends in order of arrival. Halves of refused batches go first.
final class AppendBacklog {

  /// Approximate memory overhead of an append.
  static final int OVERHEAD = 256;

  private final LedgerSettings settings;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final Deque<List<Ledger.Append>> halves = new ArrayDeque<>();
  private long held;

  private record Waiting(Ledger.Append append, int bytes) {}

  AppendBacklog(LedgerSettings settings) {
    this.settings = settings;
  }

  /// Adds an append, or sends its refusal.
  ///
  /// @param isNew whether the entity is not live: a submission, or a reopened job. A tenth of the
  ///   room is closed to such appends, so that claims, reports and cancels pass when submissions
  ///   fill the rest
  /// @return whether the append was added
  boolean add(Ledger.Append append, boolean isNew) {
    int bytes = append.bytes();
    if (bytes > settings.maxAppend()) {
      append
          .sender()
          .tell(
              new Ledger.Refused(
                  "%d bytes at once; at most %d can be stored together"
                      .formatted(bytes, settings.maxAppend())));
      return false;
    }
    if (held + bytes + OVERHEAD > (isNew ? settings.submissions() : settings.backlog())) {
      append
          .sender()
          .tell(new Ledger.Unavailable("the store does not keep up", settings.retryAfter()));
      return false;
    }
    held += bytes + OVERHEAD;
    waiting.add(new Waiting(append, bytes));
    return true;
  }

  /// Splits a refused batch into two halves, ahead of all other appends.
  void halve(List<Ledger.Append> batch) {
    int middle = batch.size() / 2;
    halves.addFirst(List.copyOf(batch.subList(middle, batch.size())));
    halves.addFirst(List.copyOf(batch.subList(0, middle)));
  }

  boolean hasHalves() {
    return !halves.isEmpty();
  }

  boolean isEmpty() {
    return waiting.isEmpty() && halves.isEmpty();
  }

  /// Takes the next batch: a half, or waiting appends up to the batch limits, at least one.
  List<Ledger.Append> next() {
    if (hasHalves()) {
      return halves.pollFirst();
    }
    var batch = new ArrayList<Ledger.Append>();
    int facts = 0;
    int size = 0;
    while (!waiting.isEmpty() && (batch.isEmpty() || fits(waiting.peek(), facts, size))) {
      var next = waiting.poll();
      batch.add(next.append());
      facts += next.append().facts().size();
      size += next.bytes();
      held -= next.bytes() + OVERHEAD;
    }
    return batch;
  }

  private boolean fits(Waiting next, int facts, int size) {
    return facts + next.append().facts().size() <= settings.batchFacts()
        && size + next.bytes() <= settings.batchBytes();
  }
}
