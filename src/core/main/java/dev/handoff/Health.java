package dev.handoff;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/// Health of the engine.
///
/// @param ready whether the engine accepts and runs jobs
/// @param problems current problems, in words; empty in good health
/// @param workers number of attempts that can run at once, on virtual and on platform threads
/// @param busy number of attempts that run now, without those that wait for a child job
/// @param abandoned number of attempts whose job has ended but whose code still runs
public record Health(boolean ready, List<String> problems, int workers, int busy, int abandoned) {
  public Health {
    problems = List.copyOf(problems);
  }

  /// Whether the engine has a problem, although it may still accept jobs.
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public boolean isDegraded() {
    return !problems.isEmpty();
  }
}
