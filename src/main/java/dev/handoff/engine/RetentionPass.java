package dev.handoff.engine;

import dev.handoff.store.ForgetSlice;
import dev.handoff.store.Forgotten;
import dev.handoff.store.HistoryPlace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// One way through history, from the oldest row to those that are younger than a retention. It
/// deletes what has to be gone at that age, and leaves the rest.
///
/// There is no index of types: with one, each end of a job would cost a row more. A pass walks
/// along the index of ends instead, and remembers where it is, so that each row is looked at once
/// for each retention that there is.
record RetentionPass(
    Duration retention, Set<String> types, boolean others, HistoryPlace place, Instant begun) {

  /// After so long it begins anew: a row may have been written behind it, by a clock that was set
  /// back or a store that was away.
  static final Duration ANEW = Duration.ofDays(1);

  /// One for each retention that there is. Each deletes everything that may be no older, so that
  /// what a shorter one has missed is not missed for ever.
  static List<RetentionPass> of(HistorySettings history) {
    var ages = new TreeMap<Duration, Boolean>();
    history.byType().values().forEach(own -> ages.put(own, true));
    ages.put(history.retention(), true);
    var passes = new ArrayList<RetentionPass>();
    for (var age : ages.keySet()) {
      boolean others = age.compareTo(history.retention()) >= 0;
      passes.add(
          new RetentionPass(
              age,
              types(history.byType(), age, others),
              others,
              HistoryPlace.START,
              Instant.EPOCH));
    }
    return passes;
  }

  /// Those that live longer, where all others go; those that do not, where only they go.
  private static Set<String> types(Map<String, Duration> byType, Duration age, boolean others) {
    return byType.entrySet().stream()
        .filter(own -> own.getValue().compareTo(age) > 0 == others)
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /// Whether everything goes at that age: then nothing has to be remembered.
  boolean isOfAll() {
    return others && types.isEmpty();
  }

  Instant before(Instant now) {
    return now.minus(retention);
  }

  ForgetSlice slice(Instant now) {
    return new ForgetSlice(place, before(now), types, others);
  }

  /// As it goes on at a time: from where it is, or from the start.
  RetentionPass at(Instant now) {
    return Duration.between(begun, now).abs().compareTo(ANEW) > 0
        ? new RetentionPass(retention, types, others, HistoryPlace.START, now)
        : this;
  }

  RetentionPass on(Forgotten done) {
    return new RetentionPass(retention, types, others, done.next(), begun);
  }
}
