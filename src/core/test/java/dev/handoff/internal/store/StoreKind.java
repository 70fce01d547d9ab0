package dev.handoff.internal.store;

/// Kinds of stores, which all must behave alike.
enum StoreKind {
  FILE,
  POSTGRES,
  MEMORY;

  boolean durable() {
    return this != MEMORY;
  }
}
