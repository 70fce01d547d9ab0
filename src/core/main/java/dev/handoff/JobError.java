package dev.handoff;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.internal.text.SafeText;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/// Error of an attempt: class, message and stack trace, truncated and cleaned for the store.
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record JobError(String type, String message, String stack) {

  static final int MAX_MESSAGE = 4 * 1024;
  static final int MAX_STACK = 16 * 1024;

  public JobError {
    type = SafeText.clean(type, 512);
    message = SafeText.clean(message, MAX_MESSAGE);
    stack = SafeText.clean(stack, MAX_STACK);
  }

  /// Error without a stack trace, made by the engine itself.
  public static JobError of(String type, String message) {
    return new JobError(type, message, "");
  }

  /// Reads any throwable, also one whose own methods throw. Wrapper exceptions of a stage appear in
  /// the stack trace only.
  public static JobError of(Throwable failure) {
    var thrown = unwrapped(failure);
    return new JobError(thrown.getClass().getName(), messageOf(thrown), stackOf(failure));
  }

  /// Removes wrapper exceptions of `join` and `get`.
  public static Throwable unwrapped(Throwable failure) {
    return isWrapper(failure) ? unwrapped(failure.getCause()) : failure;
  }

  private static boolean isWrapper(Throwable failure) {
    return (failure.getClass() == CompletionException.class
            || failure.getClass() == ExecutionException.class)
        && failure.getCause() != null;
  }

  private static String messageOf(Throwable failure) {
    try {
      return String.valueOf(failure.getMessage());
    } catch (Throwable broken) {
      return "(its message cannot be read: " + broken.getClass().getName() + ")";
    }
  }

  private static String stackOf(Throwable failure) {
    try {
      var text = new Beginning();
      failure.printStackTrace(new PrintWriter(text));
      return text.toString();
    } catch (Throwable broken) {
      return frames(failure);
    }
  }

  /// Writer that keeps only the beginning: a stack trace may have megabytes.
  private static final class Beginning extends Writer {
    private final StringBuilder text = new StringBuilder();

    @Override
    public void write(char[] chars, int from, int length) {
      text.append(chars, from, Math.min(length, MAX_STACK + 1 - text.length()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    @Override
    public String toString() {
      return text.toString();
    }
  }

  private static String frames(Throwable failure) {
    var text = new StringBuilder(failure.getClass().getName());
    try {
      for (var frame : failure.getStackTrace()) {
        text.append("\n\tat ").append(frame);
      }
    } catch (Throwable broken) {
      text.append("\n\t(its stack trace cannot be read)");
    }
    return text.toString();
  }
}
