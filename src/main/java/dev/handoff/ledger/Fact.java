package dev.handoff.ledger;

/// A fact on its way into the ledger: encoded by whoever appends it, so that what cannot be encoded
/// is refused to its sender alone.
///
/// @param entity the id of the entity that it is about
public record Fact(String entity, StoredEvent event, byte[] encoded) {}
