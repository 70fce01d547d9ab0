package dev.handoff.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// Clock that moves only when the test moves it.
public final class HandClock implements InstantSource {

  private volatile Instant now;
  private volatile RuntimeException failure;

  public HandClock(Instant now) {
    this.now = now;
  }

  @Override
  public Instant instant() {
    if (failure != null) {
      throw failure;
    }
    return now;
  }

  /// Makes every later reading throw.
  public void breakDown() {
    breakDown(new IllegalStateException("the clock is broken"));
  }

  /// Makes every later reading throw this exception.
  public void breakDown(RuntimeException with) {
    failure = with;
  }

  /// Stops the failures and sets the time.
  public void mend(Instant then) {
    now = then;
    failure = null;
  }

  public void move(Duration by) {
    now = now.plus(by);
  }
}
