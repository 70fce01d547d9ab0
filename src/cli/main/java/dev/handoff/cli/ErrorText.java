package dev.handoff.cli;

import dev.handoff.internal.ask.StageFailures;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/// Readable texts of exceptions.
final class ErrorText {

  /// Text for a missing job in a store that drops ended jobs.
  static final String NOT_KEPT =
      "it has ended and was not kept (handoff.history), or was never here";

  private ErrorText() {}

  static String of(Throwable failure) {
    var cause = StageFailures.cause(failure);
    return switch (cause) {
      case NoSuchFileException missing -> missing.getFile() + " does not exist";
      case AccessDeniedException denied -> denied.getFile() + " may not be accessed";
      default -> cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    };
  }
}
