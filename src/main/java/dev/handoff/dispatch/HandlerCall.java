package dev.handoff.dispatch;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The call of a handler, which happens once or never: the attempt's own thread takes it, or the
/// worker calls it off before. Which of the two was first decides, and needs no answer of a thread
/// that may wait for a processor for hours.
final class HandlerCall implements Runnable {

  /// Emptied by who is first, so that a thread that comes too late holds nothing of the attempt.
  private final AtomicReference<@Nullable Runnable> code;

  HandlerCall(Runnable code) {
    this.code = new AtomicReference<>(code);
  }

  @Override
  public void run() {
    var taken = code.getAndSet(null);
    if (taken != null) {
      taken.run();
    }
  }

  /// @return whether the handler has not been called, and will not be
  boolean callOff() {
    return code.getAndSet(null) != null;
  }
}
