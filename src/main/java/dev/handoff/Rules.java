package dev.handoff;

import dev.handoff.job.JobSpec;
import dev.handoff.job.Json;
import dev.handoff.job.Text;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a request must be like: the same on every store and behind every door.
final class Rules {

  static final int MAX_JSON = 256 * 1024;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,127}");
  private static final int MAX_KEY = 512;
  private static final int MAX_LABELS = 32;
  private static final int MAX_LABEL_VALUE = 256;
  private static final Duration LONGEST = Duration.ofDays(366);
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  private Rules() {}

  /// @throws InvalidRequestException naming everything that is wrong
  static void check(JobSpec spec) {
    var problems = new ArrayList<String>();
    name("type", spec.type(), problems);
    name("queue", spec.queue(), problems);
    size("payload", spec.payload(), problems);
    if (spec.key() != null) {
      key(spec.key(), problems);
    }
    if (spec.runAt() != null
        && (spec.runAt().isAfter(LATEST) || spec.runAt().isBefore(Instant.EPOCH))) {
      problems.add("runAt must be between 1970 and 9999, was " + spec.runAt());
    }
    var options = spec.options();
    if (options.maxAttempts() < 1 || options.maxAttempts() > 10_000) {
      problems.add("maxAttempts must be 1 to 10000, was " + options.maxAttempts());
    }
    duration("timeout", options.timeout(), problems);
    duration("heartbeatTimeout", options.heartbeatTimeout(), problems);
    labels(options.labels(), problems);
    if (!problems.isEmpty()) {
      throw new InvalidRequestException(problems);
    }
  }

  /// @throws InvalidRequestException if it is not a name
  static void checkName(String what, String value) {
    var problems = new ArrayList<String>();
    name(what, value, problems);
    if (!problems.isEmpty()) {
      throw new InvalidRequestException(problems);
    }
  }

  private static void name(String what, String value, List<String> problems) {
    if (!NAME.matcher(value).matches()) {
      problems.add(
          "%s \"%s\" is not a name: 1 to 128 letters, digits and . _ : -, the first a letter or digit"
              .formatted(what, Text.shown(value)));
    }
  }

  private static void key(String key, List<String> problems) {
    if (key.isEmpty() || key.length() > MAX_KEY || !Text.isClean(key)) {
      problems.add(
          "key \"%s\" must have 1 to %d characters, without NUL and lone surrogates"
              .formatted(Text.shown(key), MAX_KEY));
    }
  }

  static void size(String what, Json json, List<String> problems) {
    if (json.size() > MAX_JSON) {
      problems.add(
          "%s has %d bytes, at most %d are taken: store it elsewhere and hand over its name"
              .formatted(what, json.size(), MAX_JSON));
    }
  }

  private static void duration(String what, @Nullable Duration value, List<String> problems) {
    if (value != null && (value.toMillis() < 1 || value.compareTo(LONGEST) > 0)) {
      problems.add("%s must be 1 ms to 366 days, was %s".formatted(what, value));
    }
  }

  private static void labels(Map<String, String> labels, List<String> problems) {
    if (labels.size() > MAX_LABELS) {
      problems.add("%d labels, at most %d are taken".formatted(labels.size(), MAX_LABELS));
    }
    labels.forEach(
        (name, value) -> {
          name("label", name, problems);
          if (value.length() > MAX_LABEL_VALUE || !Text.isClean(value) || value.indexOf('|') >= 0) {
            problems.add(
                "the value of label \"%s\" must have at most %d characters, without NUL, lone surrogates and |"
                    .formatted(Text.shown(name), MAX_LABEL_VALUE));
          }
        });
  }
}
