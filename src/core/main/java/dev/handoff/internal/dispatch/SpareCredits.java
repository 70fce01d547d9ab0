package dev.handoff.internal.dispatch;

import dev.handoff.internal.job.WorkerCredit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Lent credits of one pool without a job. The next job uses one and is claimed in the same commit
/// that accepts it.
final class SpareCredits {

  private final int most;
  private final Deque<WorkerCredit> credits = new ArrayDeque<>(0);

  /// @param most maximum number of credits
  SpareCredits(int most) {
    this.most = most;
  }

  int size() {
    return credits.size();
  }

  /// Number of credits that still fit.
  int room() {
    return most - credits.size();
  }

  boolean has(WorkerCredit credit) {
    return credits.contains(credit);
  }

  /// Keeps a credit.
  ///
  /// @return whether there was room
  boolean keep(WorkerCredit credit) {
    return room() > 0 && credits.add(credit);
  }

  /// Takes the newest credit; null if empty.
  @Nullable WorkerCredit take() {
    return credits.pollLast();
  }

  /// Takes all credits.
  List<WorkerCredit> takeAll() {
    var all = List.copyOf(credits);
    credits.clear();
    return all;
  }

  /// Compares the credits with the pool's list: a credit missing there is closed.
  ///
  /// @param listed credits in the list; credits kept here are removed from it
  /// @param upTo last credit that the list could contain
  void compare(Set<Long> listed, long upTo) {
    credits.removeIf(credit -> !listed.remove(credit.number()) && credit.number() <= upTo);
  }
}
