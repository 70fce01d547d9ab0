package dev.handoff.internal.engine;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import dev.handoff.internal.job.HistoryRules;
import dev.handoff.internal.text.DurationWords;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// Settings of the history of ended jobs: `handoff.history` in `reference.conf`.
///
/// @param retention retention of the rows of ended jobs and plans
/// @param byType retention of the rows of jobs by type, except steps of plans
/// @param keyRetention retention of keys whose jobs have no row
/// @param rules rules that say which jobs get a row
public record HistorySettings(
    Duration retention, Map<String, Duration> byType, Duration keyRetention, HistoryRules rules) {

  /// Valid keys of a type's section.
  private static final SortedSet<String> OF_A_TYPE =
      new TreeSet<>(Set.of("succeeded", "failed", "retention"));

  private static final Duration LONGEST = Duration.ofDays(36_500);

  public HistorySettings {
    require("retention", retention);
    require("key-retention", keyRetention);
    byType = Map.copyOf(byType);
    byType.forEach((type, own) -> require(ofType(type) + ".retention", own));
  }

  private static String ofType(String type) {
    return "types." + ConfigUtil.joinPath(type);
  }

  private static void require(String key, Duration value) {
    if (value.isNegative() || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "handoff.history.%s must be 0s to %s, was %s"
              .formatted(key, DurationWords.exact(LONGEST), DurationWords.exact(value)));
    }
  }

  /// @param handoff configuration section `handoff`
  static HistorySettings from(Config handoff) {
    if (handoff.hasPath("retention")) {
      throw new IllegalArgumentException("handoff.retention is handoff.history.retention now");
    }
    var section = handoff.getConfig("history");
    var types = types(section);
    return new HistorySettings(
        section.getDuration("retention"),
        retentions(types),
        section.getDuration("key-retention"),
        rules(section, types));
  }

  /// Sections of single types.
  private static Map<String, Config> types(Config section) {
    var sections = new HashMap<String, Config>();
    var types = section.getObject("types");
    for (var type : types.keySet()) {
      var path = "handoff.history." + ofType(type);
      if (!(types.get(type) instanceof ConfigObject own)) {
        throw new IllegalArgumentException(
            path + " must be a section, such as { succeeded = drop }");
      }
      for (var key : own.keySet()) {
        if (!OF_A_TYPE.contains(key)) {
          throw new IllegalArgumentException(
              "%s.%s is not a setting; known: %s"
                  .formatted(path, key, String.join(", ", OF_A_TYPE)));
        }
      }
      sections.put(type, own.toConfig());
    }
    return sections;
  }

  private static Map<String, Duration> retentions(Map<String, Config> types) {
    var retentions = new HashMap<String, Duration>();
    types.forEach(
        (type, own) -> {
          if (own.hasPath("retention")) {
            retentions.put(type, retention(type, own));
          }
        });
    return retentions;
  }

  private static Duration retention(String type, Config own) {
    try {
      return own.getDuration("retention");
    } catch (ConfigException unreadable) {
      throw new IllegalArgumentException(
          "handoff.history.%s.retention must be a duration, such as 7d, was %s"
              .formatted(ofType(type), own.getValue("retention").unwrapped()),
          unreadable);
    }
  }

  private static HistoryRules rules(Config section, Map<String, Config> types) {
    var usual = rule("handoff.history", section, HistoryRules.Rule.KEEP);
    var byType = new HashMap<String, HistoryRules.Rule>();
    types.forEach(
        (type, own) -> byType.put(type, rule("handoff.history." + ofType(type), own, usual)));
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
