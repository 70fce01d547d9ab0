package dev.handoff;

import java.time.Instant;

/// A call was not made, because its breaker lets nothing through now.
public final class BreakerOpenException extends RuntimeException {

  private final Instant retryAt;

  BreakerOpenException(String name, Instant retryAt, String reason) {
    super("breaker \"%s\": %s; ask again at %s".formatted(name, reason, retryAt));
    this.retryAt = retryAt;
  }

  /// When to ask again; nothing is promised for then.
  public Instant retryAt() {
    return retryAt;
  }
}
