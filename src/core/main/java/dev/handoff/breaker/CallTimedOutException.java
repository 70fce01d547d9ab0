package dev.handoff.breaker;

import dev.handoff.internal.text.Durations;
import java.time.Duration;

/// Thrown for a protected call that missed its deadline. The call was told to stop; its code may
/// still run, and its result is discarded.
public final class CallTimedOutException extends RuntimeException {

  private final Duration after;

  public CallTimedOutException(String name, Duration after) {
    super("the call \"%s\" took longer than %s".formatted(name, Durations.exact(after)));
    this.after = after;
  }

  public Duration after() {
    return after;
  }
}
