package dev.handoff.cancel;

/// Thrown by [CancellationToken#throwIfCancelled()] in an attempt that was asked to stop.
public final class CancelledException extends RuntimeException {

  private final transient Cancellation cancellation;

  public CancelledException(Cancellation cancellation) {
    super(cancellation.reason());
    this.cancellation = cancellation;
  }

  public Cancellation cancellation() {
    return cancellation;
  }
}
