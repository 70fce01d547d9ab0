package dev.handoff.testing;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/// Clock that throws an `Error` once, at the first reading with a given class on the call stack. So
/// the fault hits one actor only.
public final class StackClock implements InstantSource {

  private final AtomicReference<Strike> next = new AtomicReference<>();

  private record Strike(String type, Error error) {}

  /// @param type simple name of a class on the call stack
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
