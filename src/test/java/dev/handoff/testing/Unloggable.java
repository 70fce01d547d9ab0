package dev.handoff.testing;

/// A failure that whoever logs it fails at, with an `Error`.
public final class Unloggable extends RuntimeException {

  public Unloggable() {
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
