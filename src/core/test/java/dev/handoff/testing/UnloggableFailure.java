package dev.handoff.testing;

/// Exception whose message throws an `Error` when a logger reads it.
public final class UnloggableFailure extends RuntimeException {

  public UnloggableFailure() {
    super("cannot be logged");
  }

  @Override
  public String getMessage() {
    if (isLogged()) {
      throw new StackOverflowError("deep");
    }
    return super.getMessage();
  }

  private static boolean isLogged() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getClassName().contains(".logback.")));
  }
}
