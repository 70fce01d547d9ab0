package dev.handoff.breaker;

/// Behaviour of a breaker towards calls.
public enum BreakerStatus {
  /// Permits and counts all calls.
  CLOSED("closed"),
  /// Rejects all calls for a limited time.
  OPEN("open"),
  /// Permits a few trial calls, which decide between closing and reopening.
  HALF_OPEN("half open"),
  /// Rejects all calls by operator's order.
  FORCED_OPEN("forced open"),
  /// Permits and counts all calls by operator's order.
  DISABLED("disabled");

  private final String label;

  BreakerStatus(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
