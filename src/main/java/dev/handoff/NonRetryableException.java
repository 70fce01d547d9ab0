package dev.handoff;

import org.jspecify.annotations.Nullable;

/// A failure that no second try can mend. Thrown by a handler, also as the cause of something else,
/// it ends the job as failed at once, however many attempts are left.
public class NonRetryableException extends RuntimeException {

  public NonRetryableException(String message) {
    super(message);
  }

  public NonRetryableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /// For subclasses whose stack trace would say nothing.
  protected NonRetryableException(
      String message, @Nullable Throwable cause, boolean writableStackTrace) {
    super(message, cause, false, writableStackTrace);
  }
}
