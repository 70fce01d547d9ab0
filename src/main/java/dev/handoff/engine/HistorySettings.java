package dev.handoff.engine;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import dev.handoff.actor.DurationWords;
import dev.handoff.job.HistoryRules;
import java.time.Duration;
import java.util.HashMap;

/// What is kept of ended jobs, and how long: `handoff.history` in `reference.conf`.
///
/// @param retention how long rows of ended jobs stay
/// @param keyRetention how long keys stay whose jobs have no row
/// @param rules which jobs get a row at all
public record HistorySettings(Duration retention, Duration keyRetention, HistoryRules rules) {

  private static final Duration LONGEST = Duration.ofDays(36_500);

  public HistorySettings {
    require("retention", retention);
    require("key-retention", keyRetention);
  }

  private static void require(String key, Duration value) {
    if (value.isNegative() || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "handoff.history.%s must be 0s to %s, was %s"
              .formatted(key, DurationWords.exact(LONGEST), DurationWords.exact(value)));
    }
  }

  /// @param handoff the section `handoff`
  static HistorySettings from(Config handoff) {
    if (handoff.hasPath("retention")) {
      throw new IllegalArgumentException("handoff.retention is handoff.history.retention now");
    }
    var section = handoff.getConfig("history");
    return new HistorySettings(
        section.getDuration("retention"), section.getDuration("key-retention"), rules(section));
  }

  private static HistoryRules rules(Config section) {
    var usual = rule("handoff.history", section, HistoryRules.Rule.KEEP);
    var byType = new HashMap<String, HistoryRules.Rule>();
    var types = section.getObject("types");
    for (var type : types.keySet()) {
      var path = "handoff.history.types." + ConfigUtil.joinPath(type);
      if (!(types.get(type) instanceof ConfigObject own)) {
        throw new IllegalArgumentException(
            path + " must be a section, such as { succeeded = drop }");
      }
      for (var key : own.keySet()) {
        if (!key.equals("succeeded") && !key.equals("failed")) {
          throw new IllegalArgumentException(
              "%s.%s is not a setting; known: failed, succeeded".formatted(path, key));
        }
      }
      byType.put(type, rule(path, own.toConfig(), usual));
    }
    return new HistoryRules(usual, byType);
  }

  private static HistoryRules.Rule rule(String path, Config section, HistoryRules.Rule usual) {
    return new HistoryRules.Rule(
        drops(path, section, "succeeded", usual.dropsSucceeded()),
        drops(path, section, "failed", usual.dropsFailed()));
  }

  private static boolean drops(String path, Config section, String key, boolean usual) {
    if (!section.hasPath(key)) {
      return usual;
    }
    return switch (section.getString(key)) {
      case "keep" -> false;
      case "drop" -> true;
      case String other ->
          throw new IllegalArgumentException(
              "%s.%s must be keep or drop, was %s".formatted(path, key, other));
    };
  }
}
