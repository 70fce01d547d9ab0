package dev.handoff.context.breaker;

/// What a breaker does with calls.
public enum BreakerStatus {
  /// Lets them through, and counts.
  CLOSED("closed"),
  /// Lets none through for a while.
  OPEN("open"),
  /// Lets a few through, to see whether it can be closed.
  HALF_OPEN("half open"),
  /// Lets none through: somebody has said so.
  FORCED_OPEN("forced open"),
  /// Lets all through, and still counts: somebody has said so.
  DISABLED("disabled");

  private final String label;

  BreakerStatus(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
