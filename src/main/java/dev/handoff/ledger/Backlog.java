package dev.handoff.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Appends that wait for their write, in the order of their arrival, and the halves of refused batches, which go first.
final class Backlog {

  private final LedgerSettings settings;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final Deque<List<Ledger.Append>> halves = new ArrayDeque<>();
  private long bytes;

  private record Waiting(Ledger.Append append, int bytes) {}

  Backlog(LedgerSettings settings) {
    this.settings = settings;
  }

  /// @return whether there was room
  boolean add(Ledger.Append append, int size) {
    if (bytes + size > settings.backlog()) {
      return false;
    }
    waiting.add(new Waiting(append, size));
    bytes += size;
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
      bytes -= next.bytes();
    }
    return batch;
  }

  private boolean fits(Waiting next, int facts, int size) {
    return facts + next.append().facts().size() <= settings.batchFacts()
        && size + next.bytes() <= settings.batchBytes();
  }
}
