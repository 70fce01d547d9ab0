package dev.handoff.internal.engine;

import dev.handoff.internal.store.ForgetProgress;
import dev.handoff.internal.store.ForgetSlice;
import dev.handoff.internal.store.HistoryPlace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// One pass over history for one retention, from the oldest row up to rows younger than the
/// retention. It deletes the rows whose type expires at that age, and keeps the others.
///
/// Types have no index: it would cost one more index entry per ended job. So a pass follows the
/// index of end times and remembers its position; each row is read once per retention.
record RetentionPass(
    Duration retention, Set<String> types, boolean others, HistoryPlace place, Instant begun) {

  /// Interval after which a pass starts over: a clock set back, or an outage of the store, can put
  /// a row behind its position.
  static final Duration ANEW = Duration.ofDays(1);

  /// Passes, one per retention. A pass deletes all rows that may be no older, and so catches rows
  /// that shorter passes missed.
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

  /// Types to keep if all others expire at this age; types to delete otherwise.
  private static Set<String> types(Map<String, Duration> byType, Duration age, boolean others) {
    return byType.entrySet().stream()
        .filter(own -> own.getValue().compareTo(age) > 0 == others)
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /// Whether all types expire at this age: then the pass needs no position.
  boolean isOfAll() {
    return others && types.isEmpty();
  }

  Instant before(Instant now) {
    return now.minus(retention);
  }

  ForgetSlice slice(Instant now) {
    return new ForgetSlice(place, before(now), types, others);
  }

  /// Pass at a given time: continued from its position, or started over.
  RetentionPass at(Instant now) {
    return Duration.between(begun, now).abs().compareTo(ANEW) > 0
        ? new RetentionPass(retention, types, others, HistoryPlace.START, now)
        : this;
  }

  RetentionPass on(ForgetProgress done) {
    return new RetentionPass(retention, types, others, done.next(), begun);
  }
}
