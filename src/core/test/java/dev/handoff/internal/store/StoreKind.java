package dev.handoff.internal.store;

/// Kinds of stores, which all must behave alike.
public enum StoreKind {
  FILE,
  POSTGRES,
  MEMORY;

  public boolean durable() {
    return this != MEMORY;
  }
}
