package dev.handoff;

import dev.handoff.internal.text.Ulid;

/// Id of an entity with facts: unique over all kinds and partitions.
public interface EntityId {

  /// Id as text; a [Ulid] for jobs and plans.
  String value();

  /// Partition in which the entity lives.
  default int partition() {
    return Ulid.partition(value());
  }
}
