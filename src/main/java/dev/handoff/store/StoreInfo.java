package dev.handoff.store;

/// What a store says of itself when it is opened.
///
/// @param kind `file`, `postgres` or `memory`
/// @param place where it is, without secrets: a directory, or host, port and database
/// @param partitions how many partitions it was made for
/// @param fresh whether opening it made it
/// @param mayHaveDropped whether an engine has had it whose `handoff.history` drops jobs: an id
///   that is not there may be of one of them
public record StoreInfo(
    String kind, String place, int partitions, boolean fresh, boolean mayHaveDropped) {}
