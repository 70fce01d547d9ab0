package dev.handoff.internal.dispatch.worker;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Handler call, made at most once: either the attempt's thread calls, or the worker calls off
/// first. An atomic exchange decides, so the worker never waits for a thread that may lack a CPU
/// for hours.
final class OneTimeCall implements Runnable {

  /// Cleared by the first taker, so that a late thread does not retain the attempt.
  private final AtomicReference<@Nullable Runnable> code;

  OneTimeCall(Runnable code) {
    this.code = new AtomicReference<>(code);
  }

  @Override
  public void run() {
    var taken = code.getAndSet(null);
    if (taken != null) {
      taken.run();
    }
  }

  /// @return whether the handler was not called and never will be
  boolean callOff() {
    return code.getAndSet(null) != null;
  }
}
