package dev.handoff;

import org.jspecify.annotations.Nullable;

/// Failure that a retry cannot mend. A handler that throws this exception, directly or as a cause,
/// fails its job at once, whatever attempts are left.
public class NonRetryableException extends RuntimeException {

  public NonRetryableException(String message) {
    super(message);
  }

  public NonRetryableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /// For subclasses that need no stack trace.
  protected NonRetryableException(
      String message, @Nullable Throwable cause, boolean writableStackTrace) {
    super(message, cause, false, writableStackTrace);
  }
}
