package dev.handoff;

import java.util.List;

/// How the engine is.
///
/// @param ready whether jobs are taken and run
/// @param problems what is wrong, in words; empty if nothing is
/// @param abandoned attempts whose job is over and whose code still runs
public record Health(boolean ready, List<String> problems, int workers, int busy, int abandoned) {
  public Health {
    problems = List.copyOf(problems);
  }

  /// Whether something is wrong, although jobs may still be taken.
  public boolean isDegraded() {
    return !problems.isEmpty();
  }
}
