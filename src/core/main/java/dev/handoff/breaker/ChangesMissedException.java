package dev.handoff.breaker;

/// Thrown to a breaker watcher that was too slow. To recover, list the breakers, then watch again.
public final class ChangesMissedException extends RuntimeException {

  public ChangesMissedException(int most) {
    super(
        "more than %d changes of breakers waited to be taken: list the breakers, then watch again"
            .formatted(most));
  }
}
