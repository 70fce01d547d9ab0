package dev.handoff.cli;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;

/// Readable texts of exceptions.
final class ErrorText {

  /// Text for a missing job in a store that drops ended jobs.
  static final String NOT_KEPT =
      "it has ended and was not kept (handoff.history), or was never here";

  private ErrorText() {}

  static String of(Throwable failure) {
    return switch (failure) {
      case CompletionException wrapped when wrapped.getCause() != null -> of(wrapped.getCause());
      case NoSuchFileException missing -> missing.getFile() + " does not exist";
      case AccessDeniedException denied -> denied.getFile() + " may not be accessed";
      default ->
          failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    };
  }
}
