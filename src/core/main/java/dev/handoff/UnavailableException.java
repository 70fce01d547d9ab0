package dev.handoff;

/// The engine cannot answer now: its store is away, its state is being recovered, or it has ended.
/// Retry later.
public final class UnavailableException extends RuntimeException {

  public UnavailableException(String reason) {
    super(reason);
  }
}
