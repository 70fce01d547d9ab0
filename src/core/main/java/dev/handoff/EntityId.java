package dev.handoff;

import dev.handoff.internal.text.Ulid;

/// Id of a job or a plan, or of another thing in the store that has facts of its own: unique over
/// all kinds and partitions.
public interface EntityId {

  /// Id as text.
  String value();

  /// Partition in which the entity lives.
  default int partition() {
    return Ulid.partition(value());
  }
}
