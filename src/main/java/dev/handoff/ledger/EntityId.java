package dev.handoff.ledger;

/// The id of whatever has facts: unique over all kinds and partitions.
public interface EntityId {

  /// A [Ulid] in its text form.
  String value();

  /// The partition that the entity lives in.
  default int partition() {
    return Ulid.partition(value());
  }
}
