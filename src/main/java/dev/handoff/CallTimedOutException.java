package dev.handoff;

import java.time.Duration;

/// A call behind a breaker was not over at its deadline. It was told to stop; its code may still
/// run, and whatever it returns is discarded.
public final class CallTimedOutException extends RuntimeException {

  private final Duration after;

  CallTimedOutException(String name, Duration after) {
    super("the call \"%s\" took longer than %s".formatted(name, Durations.exact(after)));
    this.after = after;
  }

  public Duration after() {
    return after;
  }
}
