package dev.handoff.cli;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;

/// Exceptions in words.
final class Words {

  /// Of a job that is not there, in a store whose engine drops jobs.
  static final String NOT_KEPT =
      "it has ended and was not kept (handoff.history), or was never here";

  private Words() {}

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
