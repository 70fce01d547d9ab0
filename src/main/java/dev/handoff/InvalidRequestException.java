package dev.handoff;

import java.util.List;

/// A request that breaks a rule. Its message names each one: the thing, the reason and what would
/// do.
public final class InvalidRequestException extends IllegalArgumentException {

  private final transient List<String> problems;

  InvalidRequestException(List<String> problems) {
    super(String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  public List<String> problems() {
    return problems;
  }
}
