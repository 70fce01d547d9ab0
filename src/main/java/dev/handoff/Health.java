package dev.handoff;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.handoff.engine.Engine;
import java.util.List;

/// How the engine is.
///
/// @param ready whether jobs are taken and run
/// @param problems what is wrong, in words; empty if nothing is
/// @param workers attempts that can run at once, on virtual and on platform threads
/// @param abandoned attempts whose job is over and whose code still runs
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

  /// Of an engine that does not answer.
  static Health none(String problem) {
    return new Health(false, List.of(problem), 0, 0, 0);
  }

  /// Whether something is wrong, although jobs may still be taken.
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public boolean isDegraded() {
    return !problems.isEmpty();
  }
}
