package dev.handoff;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.handoff.internal.engine.Engine;
import java.util.List;

/// Health of the engine.
///
/// @param ready whether the engine accepts and runs jobs
/// @param problems current problems, in words; empty in good health
/// @param workers number of attempts that can run at once, on virtual and on platform threads
/// @param abandoned number of attempts whose job has ended but whose code still runs
public record Health(boolean ready, List<String> problems, int workers, int busy, int abandoned) {
  public Health {
    problems = List.copyOf(problems);
  }

  static Health of(Engine.HealthReport report) {
    var pool = report.pool();
    return pool == null
        ? new Health(report.ready(), report.problems(), 0, 0, 0)
        : new Health(
            report.ready(), report.problems(), pool.workers(), pool.busy(), pool.abandoned());
  }

  /// Health of an engine that does not answer.
  static Health none(String problem) {
    return new Health(false, List.of(problem), 0, 0, 0);
  }

  /// Whether the engine has a problem, although it may still accept jobs.
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public boolean isDegraded() {
    return !problems.isEmpty();
  }
}
