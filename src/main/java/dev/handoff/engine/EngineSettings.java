package dev.handoff.engine;

import com.typesafe.config.Config;
import dev.handoff.dispatch.DispatchSettings;
import dev.handoff.job.JobSettings;
import dev.handoff.ledger.LedgerSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Everything that an engine reads from `handoff { }`, once, at its start.
///
/// @param events how many of the newest events are kept for those who resume
/// @param retention how long ended jobs stay in history
/// @param weights how much of the workers a queue gets beside others; 1 for those not named
/// @param strictQueues whether only queues that are named in `handoff.queues.known` exist
public record EngineSettings(
    JobSettings jobs,
    LedgerSettings ledger,
    DispatchSettings dispatch,
    int events,
    Duration retention,
    Map<String, Integer> weights) {

  public EngineSettings {
    weights = Map.copyOf(weights);
    if (events < 1) {
      throw new IllegalArgumentException("handoff.events.keep must be at least 1, was " + events);
    }
    weights.forEach(
        (queue, weight) -> {
          if (weight < 1 || weight > 1000) {
            throw new IllegalArgumentException(
                "handoff.queues.weights.%s must be 1 to 1000, was %d".formatted(queue, weight));
          }
        });
  }

  /// @param handoff the section `handoff`
  public static EngineSettings from(Config handoff) {
    var weights = new HashMap<String, Integer>();
    var section = handoff.getConfig("queues.weights");
    section.root().keySet().forEach(queue -> weights.put(queue, section.getInt('"' + queue + '"')));
    return new EngineSettings(
        JobSettings.from(handoff),
        LedgerSettings.from(handoff.getConfig("ledger")),
        DispatchSettings.from(handoff),
        handoff.getInt("events.keep"),
        handoff.getDuration("retention"),
        weights);
  }

  int weight(String queue) {
    return weights.getOrDefault(queue, 1);
  }
}
