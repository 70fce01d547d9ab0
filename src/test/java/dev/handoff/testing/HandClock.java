package dev.handoff.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that stands until the test moves it.
public final class HandClock implements InstantSource {

  private volatile Instant now;

  public HandClock(Instant now) {
    this.now = now;
  }

  @Override
  public Instant instant() {
    if (now == null) {
      throw new IllegalStateException("the clock is broken");
    }
    return now;
  }

  /// Whoever asks for the time from now on fails.
  public void breakDown() {
    now = null;
  }

  /// It goes on from there.
  public void mend(Instant then) {
    now = then;
  }

  public void move(Duration by) {
    now = now.plus(by);
  }
}
