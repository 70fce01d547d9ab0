package dev.handoff.internal.dispatch;

import com.typesafe.config.Config;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// Names of the existing queues. Usually each name is a queue; in strict mode only the configured
/// queues exist.
///
/// @param known existing queues in strict mode
public record QueueNames(boolean strict, SortedSet<String> known) {

  /// Names without a restriction.
  public static final QueueNames ANY = new QueueNames(false, new TreeSet<>());

  public QueueNames {
    known = Collections.unmodifiableSortedSet(new TreeSet<>(known));
    if (strict && known.isEmpty()) {
      throw new IllegalArgumentException(
          "handoff.queues.strict is on and handoff.queues.known is empty: no job could be"
              + " submitted");
    }
  }

  /// @param handoff configuration section `handoff`
  public static QueueNames from(Config handoff) {
    return new QueueNames(
        handoff.getBoolean("queues.strict"), new TreeSet<>(handoff.getStringList("queues.known")));
  }

  /// Reason that a queue does not exist; empty if it exists.
  public Optional<String> missing(String queue) {
    return strict && !known.contains(queue)
        ? Optional.of(
            "queue \"%s\" does not exist; known: %s".formatted(queue, String.join(", ", known)))
        : Optional.empty();
  }
}
