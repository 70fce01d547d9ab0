package dev.handoff.internal.facade.start;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import dev.handoff.Handoff;
import dev.handoff.StoreSettings;
import dev.handoff.internal.dispatch.QueueNames;
import dev.handoff.internal.engine.EngineSettings;
import dev.handoff.internal.facade.SubmissionRules;
import dev.handoff.internal.spi.ContextService;
import dev.handoff.internal.text.Durations;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Validated settings from `handoff { }`; every refusal names its key.
///
/// @param partitions number of partitions for a new store, and required number for an existing one;
///   0 leaves the choice to the store
record HandoffConfiguration(
    EngineSettings engine, StoreSettings.Kind store, int partitions, QueueNames queues) {

  private static final String SECTION = "handoff";
  private static final String WEIGHTS = "queues.weights";
  private static final String TYPES = "history.types";
  private static final String BREAKERS = "breakers.";
  private static final String CONTEXT = "context.";
  private static final Duration LONGEST_CONNECT = Duration.ofMinutes(10);
  private static final int MOST_PARTITIONS = 1_024;
  private static final String LEFT_TO_STORE = "auto";

  /// Longest configurable wait: two waits may be added in one timer, which
  /// [SubmissionRules#LONGEST_TIMER] bounds.
  private static final Duration LONGEST_WAIT = Duration.ofDays(80);

  HandoffConfiguration {
    if (partitions < 0 || partitions > MOST_PARTITIONS) {
      throw unfitPartitions(partitions);
    }
  }

  /// @param whole configuration with the section `handoff`
  /// @throws IllegalArgumentException naming each invalid key
  static HandoffConfiguration read(Config whole) {
    try {
      reference().entrySet().forEach(known -> check(whole, known.getKey(), known.getValue()));
      var section = whole.getConfig(SECTION);
      checkTypes(section.getConfig(TYPES));
      warnOfUnknown(section);
      return new HandoffConfiguration(
          EngineSettings.from(section),
          store(section.getConfig("store")),
          partitions(section.getString("partitions")),
          QueueNames.from(section));
    } catch (ConfigException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /// Refuses an unquoted type name with dots: it would be read as nested sections.
  private static void checkTypes(Config types) {
    for (var entry : types.entrySet()) {
      var path = ConfigUtil.splitPath(entry.getKey());
      if (path.size() > 2) {
        var type = String.join(".", path.subList(0, path.size() - 1));
        var section = SECTION + "." + TYPES;
        throw new IllegalArgumentException(
            "%s.%s.%s is not a setting; the name of a type with dots stands in quotes: %s.\"%s\".%s"
                .formatted(section, type, path.getLast(), section, type, path.getLast()));
      }
    }
  }

  /// Warns of history rules for job types without a handler.
  static void warnOfTypes(Config whole, Set<String> known) {
    for (var type : whole.getObject(SECTION + "." + TYPES).keySet()) {
      if (!known.contains(type)) {
        LoggerFactory.getLogger(Handoff.class)
            .warn(
                "handoff.{}.{} is of a type that has no handler here; known: {}",
                TYPES,
                ConfigUtil.joinPath(type),
                String.join(", ", new TreeSet<>(known)));
      }
    }
  }

  private static int partitions(String said) {
    if (said.equals(LEFT_TO_STORE)) {
      return 0;
    }
    if (!said.matches("[1-9]\\d{0,3}")) {
      throw unfitPartitions(said);
    }
    return Integer.parseInt(said);
  }

  private static IllegalArgumentException unfitPartitions(Object said) {
    return new IllegalArgumentException(
        "handoff.partitions must be 1 to %d, or %s, was %s"
            .formatted(MOST_PARTITIONS, LEFT_TO_STORE, said));
  }

  /// Reads the value by its full path, with the type of the reference value.
  private static void check(Config whole, String key, ConfigValue known) {
    var path = SECTION + "." + key;
    var form = String.valueOf(known.unwrapped());
    if (known.valueType() == ConfigValueType.NUMBER) {
      whole.getInt(path);
    } else if (known.valueType() == ConfigValueType.BOOLEAN) {
      whole.getBoolean(path);
    } else if (known.valueType() == ConfigValueType.LIST) {
      whole.getStringList(path).forEach(name -> SubmissionRules.checkName(path, name));
    } else if (form.matches("\\d+(ms|s|m|h|d)")) {
      checkRange(path, whole.getDuration(path), key.startsWith("history."));
    } else if (form.matches("\\d+[KMG]iB")) {
      whole.getBytes(path);
    } else {
      whole.getString(path);
    }
  }

  /// Checks the range of a duration. Only history durations may be long, because all others become
  /// timers.
  private static void checkRange(String path, Duration value, boolean mayBeLong) {
    if (value.isNegative() || !mayBeLong && value.compareTo(LONGEST_WAIT) > 0) {
      throw new IllegalArgumentException(
          "%s must be 0s to %s, was %s"
              .formatted(path, Durations.exact(LONGEST_WAIT), Durations.exact(value)));
    }
  }

  /// Overrides a known key.
  ///
  /// @throws IllegalArgumentException naming the key
  static Config with(Config overrides, String key, Object value) {
    if (!isKnown(key)) {
      throw new IllegalArgumentException("handoff." + key + unknown(key));
    }
    try {
      return overrides.withValue(
          SECTION + "." + key, ConfigValueFactory.fromAnyRef(plain(value), "set"));
    } catch (ConfigException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "handoff.%s cannot be %s: %s".formatted(key, value, e.getMessage()), e);
    }
  }

  private static String unknown(String key) {
    return isOfMissingContexts(key)
        ? " is a setting of context assembly, which is not installed: add the library "
            + ContextService.ARTIFACT
        : " is not a setting; known: " + String.join(", ", known());
  }

  private static Object plain(Object value) {
    return value instanceof Duration time ? time.toNanos() + "ns" : value;
  }

  private static boolean isKnown(String key) {
    return key.startsWith(WEIGHTS + ".")
        || key.startsWith(TYPES + ".")
        || known().contains(key)
        || isOfANamedBreaker(key);
  }

  /// Whether the key belongs to context assembly, which is not installed: its library has the
  /// defaults.
  private static boolean isOfMissingContexts(String key) {
    return key.startsWith(CONTEXT) && known().stream().noneMatch(one -> one.startsWith(CONTEXT));
  }

  private static boolean isOfANamedBreaker(String key) {
    return key.startsWith(BREAKERS + "named.")
        && known().contains(BREAKERS + "default" + key.substring(key.lastIndexOf('.')));
  }

  private static SortedSet<String> known() {
    var keys = new TreeSet<String>();
    reference().entrySet().forEach(entry -> keys.add(entry.getKey()));
    return keys;
  }

  private static Config reference() {
    return ConfigFactory.defaultReference().getConfig(SECTION);
  }

  private static void warnOfUnknown(Config section) {
    for (var entry : section.entrySet()) {
      if (isOfMissingContexts(entry.getKey())) {
        LoggerFactory.getLogger(Handoff.class)
            .warn(
                "handoff.{} changes nothing: context assembly is not installed; the library is {}",
                entry.getKey(),
                ContextService.ARTIFACT);
      } else if (!isKnown(entry.getKey())) {
        LoggerFactory.getLogger(Handoff.class)
            .warn("handoff.{} is not a setting, and changes nothing", entry.getKey());
      }
    }
  }

  private static StoreSettings.Kind store(Config store) {
    var kind = store.getString("kind");
    return switch (kind) {
      case "file" -> new StoreSettings.File(directory(store.getString("file.directory")));
      case "postgres" -> postgres(store.getConfig("postgres"));
      case "memory" -> new StoreSettings.Memory();
      default ->
          throw new IllegalArgumentException(
              "handoff.store.kind \"%s\" does not exist; known: file, postgres, memory"
                  .formatted(kind));
    };
  }

  private static Path directory(String name) {
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "handoff.store.file.directory cannot be a directory: " + e.getMessage(), e);
    }
  }

  private static StoreSettings.Postgres postgres(Config postgres) {
    var wait = postgres.getDuration("connect-timeout");
    if (wait.toMillis() < 1 || wait.compareTo(LONGEST_CONNECT) > 0) {
      throw new IllegalArgumentException(
          "handoff.store.postgres.connect-timeout must be 1ms to %s, was %s"
              .formatted(Durations.exact(LONGEST_CONNECT), Durations.exact(wait)));
    }
    return new StoreSettings.Postgres(
        postgres.getString("url"),
        orNull(postgres.getString("user")),
        orNull(postgres.getString("password")),
        wait);
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
