package dev.handoff.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Appends that wait for their write, in the order of their arrival, and the halves of refused
/// batches, which go first.
final class Backlog {

  /// About what an append needs in memory besides its bytes.
  static final int OVERHEAD = 256;

  private final LedgerSettings settings;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final Deque<List<Ledger.Append>> halves = new ArrayDeque<>();
  private long held;

  private record Waiting(Ledger.Append append, int bytes) {}

  Backlog(LedgerSettings settings) {
    this.settings = settings;
  }

  /// Keeps an append, or tells its sender why not.
  ///
  /// @param isNew whether it is about an entity that is not live: a submission, or an ended job
  ///   that is opened again. A tenth of the room is not for those, so that claims, reports and
  ///   cancels get through when submissions fill the rest
  /// @return whether it was kept
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

  /// Puts a refused batch back as two smaller ones, ahead of everything else.
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

  /// The next batch: a half, or what waits, up to the bounds of a batch; at least one append.
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
