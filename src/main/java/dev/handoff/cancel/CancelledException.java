package dev.handoff.cancel;

/// Thrown by [CancellationToken#throwIfCancelled()]: the attempt was asked to stop and does.
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
