package dev.handoff.dispatch;

import com.typesafe.config.Config;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// Which queues there are. Usually a queue comes to life with its name; where that is strict, only
/// those exist that are named.
///
/// @param known the queues that exist, if strict
public record QueueNames(boolean strict, SortedSet<String> known) {

  /// Every name is a queue.
  public static final QueueNames ANY = new QueueNames(false, new TreeSet<>());

  public QueueNames {
    known = Collections.unmodifiableSortedSet(new TreeSet<>(known));
    if (strict && known.isEmpty()) {
      throw new IllegalArgumentException(
          "handoff.queues.strict is on and handoff.queues.known is empty: no job could be"
              + " submitted");
    }
  }

  /// @param handoff the section `handoff`
  public static QueueNames from(Config handoff) {
    return new QueueNames(
        handoff.getBoolean("queues.strict"), new TreeSet<>(handoff.getStringList("queues.known")));
  }

  /// Why there is no such queue; empty if there is.
  public Optional<String> missing(String queue) {
    return strict && !known.contains(queue)
        ? Optional.of(
            "queue \"%s\" does not exist; known: %s".formatted(queue, String.join(", ", known)))
        : Optional.empty();
  }
}
