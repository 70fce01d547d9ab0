package dev.handoff.ledger;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

/// A fact that is kept in a ledger and read for ever: its logical name and its fields never change
/// their meaning. Encoded by [FactCodec] under the name that `@JsonSubTypes` gives it.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
public interface StoredEvent {}
