package dev.handoff;

/// A watcher of breakers was too slow. It has to list them, and can then watch from now on.
public final class ChangesMissedException extends RuntimeException {

  ChangesMissedException(int most) {
    super(
        "more than %d changes of breakers waited to be taken: list the breakers, then watch again"
            .formatted(most));
  }
}
