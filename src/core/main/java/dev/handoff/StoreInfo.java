package dev.handoff;

/// Properties of a store when it was opened.
///
/// @param kind `file`, `postgres` or `memory`
/// @param place location without secrets: a directory, or host, port and database
/// @param partitions number of partitions, fixed at creation
/// @param fresh whether this open created the store
/// @param mayHaveDropped whether an engine whose `handoff.history` drops jobs has ever used the
///   store: a missing id may then be a dropped job
public record StoreInfo(
    String kind, String place, int partitions, boolean fresh, boolean mayHaveDropped) {}
