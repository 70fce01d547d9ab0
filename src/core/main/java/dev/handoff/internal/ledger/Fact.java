package dev.handoff.internal.ledger;

/// Fact on its way into the ledger. The sender encodes it, so that an encoding failure is refused
/// to that sender alone.
///
/// @param entity id of the fact's entity
public record Fact(String entity, StoredEvent event, byte[] encoded) {}
