package dev.handoff.internal.ledger;

/// Message that may cross a node boundary. Bound to `jackson-cbor` in `reference.conf`. Stays
/// readable for one rolling upgrade: new versions only add fields.
public interface WireMessage {}
