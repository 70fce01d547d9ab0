package dev.handoff.dispatch;

import dev.handoff.job.Credit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Credits of one pool for which there is no job yet. A job that comes then is claimed in the same
/// commit in which it is accepted.
final class SpareCredits {

  private final int most;
  private final Deque<Credit> credits = new ArrayDeque<>(0);

  /// @param most how many are kept
  SpareCredits(int most) {
    this.most = most;
  }

  int size() {
    return credits.size();
  }

  /// How many more would be kept.
  int room() {
    return most - credits.size();
  }

  boolean has(Credit credit) {
    return credits.contains(credit);
  }

  /// Keeps a credit.
  ///
  /// @return whether there was room
  boolean keep(Credit credit) {
    return room() > 0 && credits.add(credit);
  }

  /// The one that came last; null if there is none.
  @Nullable Credit take() {
    return credits.pollLast();
  }

  /// Takes all of them.
  List<Credit> takeAll() {
    var all = List.copyOf(credits);
    credits.clear();
    return all;
  }

  /// Compares with the list of the pool: what it does not list any more is closed.
  ///
  /// @param listed what the pool lists; what is kept here is taken out
  /// @param upTo the last credit that could be in the list
  void compare(Set<Long> listed, long upTo) {
    credits.removeIf(credit -> !listed.remove(credit.number()) && credit.number() <= upTo);
  }
}
