package dev.handoff.internal.actor;

/// `Error` of an actor, wrapped in an exception that supervision can handle. Its text is that of
/// the error.
public final class ActorErrorException extends RuntimeException {

  /// Preallocated exception for an error that leaves no memory for a new one.
  static final ActorErrorException WITHOUT_MEMORY =
      new ActorErrorException(new OutOfMemoryError("and none for what it was"), false);

  private ActorErrorException(Throwable error, boolean withTrace) {
    super(String.valueOf(error), error, false, withTrace);
  }

  ActorErrorException(Throwable error) {
    this(error, true);
  }

  @Override
  public String toString() {
    return getMessage();
  }
}
