package dev.handoff.internal.text;

/// Thrown for a value of the wrong kind.
public final class MisfitValueException extends IllegalArgumentException {

  private final int line;

  MisfitValueException(int line, String reason) {
    super(reason);
    this.line = line;
  }

  /// Line of the value.
  public int line() {
    return line;
  }
}
