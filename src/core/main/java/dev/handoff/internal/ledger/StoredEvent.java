package dev.handoff.internal.ledger;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

/// Fact in a ledger, readable for ever: its logical name and its fields never change their meaning.
/// [FactCodec] encodes it under its `@JsonSubTypes` name.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
public interface StoredEvent {}
