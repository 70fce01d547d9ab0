package dev.handoff.internal.facade;

import dev.handoff.Health;
import dev.handoff.internal.engine.Engine;
import java.util.List;

/// Health of an engine, from the report of its guardian.
public final class EngineHealth {

  private EngineHealth() {}

  public static Health of(Engine.HealthReport report) {
    var pool = report.pool();
    return pool == null
        ? new Health(report.ready(), report.problems(), 0, 0, 0)
        : new Health(
            report.ready(), report.problems(), pool.workers(), pool.busy(), pool.abandoned());
  }

  /// Health of an engine that does not answer.
  public static Health unanswered(String problem) {
    return new Health(false, List.of(problem), 0, 0, 0);
  }
}
