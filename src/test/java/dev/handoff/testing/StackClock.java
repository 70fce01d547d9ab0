package dev.handoff.testing;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/// A clock that throws an `Error` once, at whoever asks from within a class that a test names: so
/// it strikes one actor and no other.
public final class StackClock implements InstantSource {

  private final AtomicReference<Strike> next = new AtomicReference<>();

  private record Strike(String type, Error error) {}

  /// @param type the simple name of a class on the way to the clock
  public void strike(String type, Error error) {
    next.set(new Strike(type, error));
  }

  public boolean hasStruck() {
    return next.get() == null;
  }

  @Override
  public Instant instant() {
    var strike = next.get();
    if (strike != null && isCalledBy(strike.type()) && next.compareAndSet(strike, null)) {
      throw strike.error();
    }
    return Instant.now();
  }

  private static boolean isCalledBy(String type) {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith("." + type)));
  }
}
