package dev.handoff.actor;

/// An `Error` of an actor, in a form that supervision sees. Reads like the error itself.
public final class ActorErrorException extends RuntimeException {

  /// For the error that leaves no memory for an exception of its own.
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
