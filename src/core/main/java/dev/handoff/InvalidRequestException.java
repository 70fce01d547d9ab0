package dev.handoff;

import java.util.List;

/// Thrown for a request that breaks rules. The message names each problem: the field, the reason
/// and an acceptable value.
public final class InvalidRequestException extends IllegalArgumentException {

  private final transient List<String> problems;

  public InvalidRequestException(List<String> problems) {
    super(String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  public List<String> problems() {
    return problems;
  }
}
