package dev.handoff.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that stands until the test moves it.
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

  /// Whoever asks for the time from now on fails.
  public void breakDown() {
    breakDown(new IllegalStateException("the clock is broken"));
  }

  /// The same with what it fails with.
  public void breakDown(RuntimeException with) {
    failure = with;
  }

  /// It goes on from there.
  public void mend(Instant then) {
    now = then;
    failure = null;
  }

  public void move(Duration by) {
    now = now.plus(by);
  }
}
