package dev.handoff.engine;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigUtil;
import dev.handoff.actor.DurationWords;
import dev.handoff.context.assembly.AssemblySettings;
import dev.handoff.context.breaker.BreakerSettings;
import dev.handoff.context.workspace.WorkspaceSettings;
import dev.handoff.dispatch.DispatchSettings;
import dev.handoff.job.JobSettings;
import dev.handoff.ledger.LedgerSettings;
import dev.handoff.plan.PlanSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Everything that an engine reads from `handoff { }`, once, at its start.
///
/// @param startPatience how long a start waits for a store that is away
/// @param events how many of the newest events are kept for those who resume
/// @param history what is kept of ended jobs
/// @param weights how much of the workers a queue gets beside others; 1 for those not named
public record EngineSettings(
    JobSettings jobs,
    LedgerSettings ledger,
    DispatchSettings dispatch,
    BreakerSettings breakers,
    WorkspaceSettings workspaces,
    AssemblySettings assembly,
    PlanSettings plans,
    Duration startPatience,
    int events,
    HistorySettings history,
    Map<String, Integer> weights) {

  private static final Duration SHUTDOWN_MARGIN = Duration.ofSeconds(10);
  private static final Duration LONGEST_PATIENCE = Duration.ofDays(1);

  public EngineSettings {
    weights = Map.copyOf(weights);
    if (events < 1 || events > 1_000_000) {
      throw new IllegalArgumentException("handoff.events.keep must be 1 to 1000000, was " + events);
    }
    require("start-patience", startPatience, LONGEST_PATIENCE);
    weights.forEach(
        (queue, weight) -> {
          if (weight < 1 || weight > 1000) {
            throw new IllegalArgumentException(
                "handoff.queues.weights.%s must be 1 to 1000, was %d".formatted(queue, weight));
          }
        });
  }

  private static void require(String key, Duration value, Duration longest) {
    if (value.isNegative() || value.compareTo(longest) > 0) {
      throw new IllegalArgumentException(
          "handoff.%s must be 0s to %s, was %s"
              .formatted(key, DurationWords.exact(longest), DurationWords.exact(value)));
    }
  }

  /// @param handoff the section `handoff`
  public static EngineSettings from(Config handoff) {
    return new EngineSettings(
        JobSettings.from(handoff),
        LedgerSettings.from(handoff.getConfig("ledger")),
        DispatchSettings.from(handoff),
        BreakerSettings.from(handoff),
        WorkspaceSettings.from(handoff),
        AssemblySettings.from(handoff.getConfig("context")),
        PlanSettings.from(handoff),
        handoff.getDuration("start-patience"),
        handoff.getInt("events.keep"),
        HistorySettings.from(handoff),
        weights(handoff.getConfig("queues.weights")));
  }

  /// A queue whose name has dots may be written in quotes or not.
  private static Map<String, Integer> weights(Config section) {
    var weights = new HashMap<String, Integer>();
    section
        .entrySet()
        .forEach(
            entry ->
                weights.put(
                    String.join(".", ConfigUtil.splitPath(entry.getKey())),
                    section.getInt(entry.getKey())));
    return weights;
  }

  /// How long the end of an engine may take: what cannot be brought to its end in that time,
  /// because the store is away or code does not stop, is found lost by the next start.
  public Duration longestShutdown() {
    return dispatch.shutdownGrace().plus(dispatch.abandon()).plus(SHUTDOWN_MARGIN);
  }

  int weight(String queue) {
    return weights.getOrDefault(queue, 1);
  }
}
