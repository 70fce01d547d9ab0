package dev.handoff.store;

/// The stores that have to behave alike.
enum StoreKind {
  FILE,
  POSTGRES,
  MEMORY;

  boolean durable() {
    return this != MEMORY;
  }
}
