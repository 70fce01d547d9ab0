package dev.handoff.ledger;

/// A message that may cross a node boundary. Bound to `jackson-cbor` in `reference.conf`; survives
/// one rolling upgrade: fields are only added.
public interface WireMessage {}
