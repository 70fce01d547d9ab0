package dev.handoff.breaker;

import java.time.Instant;

/// Thrown for a call that was not made because its breaker rejects calls now.
public final class BreakerOpenException extends RuntimeException {

  private final Instant retryAt;

  public BreakerOpenException(String name, Instant retryAt, String reason) {
    super("breaker \"%s\": %s; ask again at %s".formatted(name, reason, retryAt));
    this.retryAt = retryAt;
  }

  /// Earliest time for another try; not a promise.
  public Instant retryAt() {
    return retryAt;
  }
}
