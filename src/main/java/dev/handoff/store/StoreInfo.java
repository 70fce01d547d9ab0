package dev.handoff.store;

/// What a store says of itself when it is opened.
///
/// @param kind `file`, `postgres` or `memory`
/// @param place where it is, without secrets: a directory, or host, port and database
/// @param partitions how many partitions it was made for
/// @param fresh whether opening it made it
public record StoreInfo(String kind, String place, int partitions, boolean fresh) {}
