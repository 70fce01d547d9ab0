package dev.handoff.internal.engine;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigUtil;
import dev.handoff.internal.breaker.BreakerSettings;
import dev.handoff.internal.dispatch.DispatchSettings;
import dev.handoff.internal.job.JobSettings;
import dev.handoff.internal.ledger.LedgerSettings;
import dev.handoff.internal.plan.PlanSettings;
import dev.handoff.internal.text.DurationWords;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Settings of an engine, read once from `handoff { }` at its start.
///
/// @param startPatience time that a start waits for an unreachable store
/// @param events number of newest events kept for subscribers that resume
/// @param history retention of ended jobs
/// @param weights share of the workers that a queue gets, relative to other queues; 1 if not named
public record EngineSettings(
    JobSettings jobs,
    LedgerSettings ledger,
    DispatchSettings dispatch,
    BreakerSettings breakers,
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

  /// @param handoff configuration section `handoff`
  public static EngineSettings from(Config handoff) {
    return new EngineSettings(
        JobSettings.from(handoff),
        LedgerSettings.from(handoff.getConfig("ledger")),
        DispatchSettings.from(handoff),
        BreakerSettings.from(handoff),
        PlanSettings.from(handoff),
        handoff.getDuration("start-patience"),
        handoff.getInt("events.keep"),
        HistorySettings.from(handoff),
        weights(handoff.getConfig("queues.weights")));
  }

  /// Queue names with dots may be quoted or unquoted.
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

  /// Maximum duration of a shutdown. An attempt whose end takes longer, because the store is away
  /// or its code does not stop, is found lost by the next start.
  public Duration longestShutdown() {
    return dispatch.shutdownGrace().plus(dispatch.abandon()).plus(SHUTDOWN_MARGIN);
  }

  int weight(String queue) {
    return weights.getOrDefault(queue, 1);
  }
}
