package dev.handoff.internal.facade;

import dev.handoff.InvalidRequestException;
import dev.handoff.JobFilter;
import dev.handoff.RetryRule;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.text.Durations;
import dev.handoff.internal.text.LocatedProblem;
import dev.handoff.internal.text.NameRule;
import dev.handoff.internal.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Validation rules of requests, the same for every store and every API.
public final class SubmissionRules {

  private static final int MAX_KEY = 512;
  private static final int MAX_CLASSES = 20;
  private static final int MAX_CLASS_NAME = 256;
  private static final Pattern CLASS_NAME =
      Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");
  private static final int MAX_LABELS = 32;
  private static final int MAX_LABEL_VALUE = 256;

  /// Longest delay of an actor system's timer, with its default tick duration.
  static final Duration LONGEST_TIMER = Duration.ofDays(200);

  static final Duration LONGEST_DELAY = Duration.ofDays(36_525);
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  private SubmissionRules() {}

  /// Adds all problems of a specification. The payload is validated elsewhere.
  static void check(JobSpec spec, List<LocatedProblem> problems) {
    name("type", spec.type(), problems);
    name("queue", spec.queue(), problems);
    if (spec.key() != null) {
      key(spec.key(), problems);
    }
    var options = spec.options();
    if (options.maxAttempts() < 1 || options.maxAttempts() > 10_000) {
      problems.add(
          LocatedProblem.of(
              "maxAttempts", "maxAttempts must be 1 to 10000, was " + options.maxAttempts()));
    }
    duration("timeout", options.timeout(), problems);
    duration("heartbeatTimeout", options.heartbeatTimeout(), problems);
    retryRule(options.retryIf(), problems);
    labels(options.labels(), problems);
  }

  /// @throws InvalidRequestException if the value is not a valid name
  public static void checkName(String what, String value) {
    var problems = new ArrayList<LocatedProblem>();
    name(what, value, problems);
    if (!problems.isEmpty()) {
      throw new InvalidRequestException(LocatedProblem.messages(problems));
    }
  }

  /// @throws InvalidRequestException if a component of the filter is invalid
  public static void checkFilter(JobFilter filter) {
    var problems = new ArrayList<LocatedProblem>();
    if (filter.queue() != null) {
      name("queue", filter.queue(), problems);
    }
    if (filter.type() != null) {
      name("type", filter.type(), problems);
    }
    if (filter.plan() != null) {
      name("plan", filter.plan(), problems);
    }
    if (filter.label() != null) {
      label(filter.label(), problems);
    }
    if (!problems.isEmpty()) {
      throw new InvalidRequestException(LocatedProblem.messages(problems));
    }
  }

  private static void label(String filter, List<LocatedProblem> problems) {
    int at = filter.indexOf('=');
    if (at < 0) {
      problems.add(
          LocatedProblem.of(
              "label", "label \"%s\" is not name=value".formatted(SafeText.shown(filter))));
    } else {
      labels(Map.of(filter.substring(0, at), filter.substring(at + 1)), problems);
    }
  }

  /// Time in whole milliseconds, the precision of the store.
  static Instant time(String what, Instant value, List<LocatedProblem> problems) {
    if (value.isAfter(LATEST) || value.isBefore(Instant.EPOCH)) {
      problems.add(
          LocatedProblem.of(
              what, "%s must be between 1970 and 9999, was %s".formatted(what, value)));
      return LATEST;
    }
    return value.truncatedTo(ChronoUnit.MILLIS);
  }

  private static void name(String what, String value, List<LocatedProblem> problems) {
    name(what, what, value, problems);
  }

  private static void name(String field, String what, String value, List<LocatedProblem> problems) {
    NameRule.problem(what, value).ifPresent(wrong -> problems.add(LocatedProblem.of(field, wrong)));
  }

  private static void key(String key, List<LocatedProblem> problems) {
    if (key.isEmpty() || key.length() > MAX_KEY || !isPlain(key)) {
      problems.add(
          LocatedProblem.of(
              "key",
              "key \"%s\" must have 1 to %d characters, without control and direction characters"
                  .formatted(SafeText.shown(key), MAX_KEY)));
    }
  }

  private static void duration(
      String what, @Nullable Duration value, List<LocatedProblem> problems) {
    if (value != null
        && (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(LONGEST_TIMER) > 0)) {
      problems.add(
          LocatedProblem.of(
              what,
              "%s must be 1ms to %s, was %s"
                  .formatted(what, Durations.exact(LONGEST_TIMER), Durations.exact(value))));
    }
  }

  private static void retryRule(@Nullable RetryRule rule, List<LocatedProblem> problems) {
    if (rule != null) {
      classNames("retryIf.only", rule.only(), problems);
      classNames("retryIf.never", rule.never(), problems);
    }
  }

  private static void classNames(String what, List<String> names, List<LocatedProblem> problems) {
    if (names.size() > MAX_CLASSES) {
      problems.add(
          LocatedProblem.of(
              "retryIf",
              "%s names %d classes, at most %d".formatted(what, names.size(), MAX_CLASSES)));
      return;
    }
    names.stream()
        .filter(name -> name.length() > MAX_CLASS_NAME || !CLASS_NAME.matcher(name).matches())
        .forEach(
            name ->
                problems.add(
                    LocatedProblem.of(
                        "retryIf",
                        "%s: \"%s\" is not the name of a class, such as java.io.IOException"
                            .formatted(what, SafeText.shown(name)))));
  }

  private static void labels(Map<String, String> labels, List<LocatedProblem> problems) {
    if (labels.size() > MAX_LABELS) {
      problems.add(
          LocatedProblem.of(
              "labels", "%d labels, at most %d are taken".formatted(labels.size(), MAX_LABELS)));
      return;
    }
    labels.forEach(
        (name, value) -> {
          name("labels", "label", name, problems);
          if (value.length() > MAX_LABEL_VALUE || !isPlain(value) || value.indexOf('|') >= 0) {
            problems.add(
                LocatedProblem.of(
                    "labels",
                    "the value of label \"%s\" must have at most %d characters, without |, control and direction characters"
                        .formatted(SafeText.shown(name), MAX_LABEL_VALUE)));
          }
        });
  }

  /// Whether text can be stored, and contains no characters that would disguise it on display.
  private static boolean isPlain(String text) {
    return SafeText.isClean(text) && text.codePoints().noneMatch(SubmissionRules::isHidden);
  }

  private static boolean isHidden(int character) {
    return Character.isISOControl(character)
        || character == '\u2028'
        || character == '\u2029'
        || isDirection(character);
  }

  private static boolean isDirection(int character) {
    return character == '\u061c'
        || character == '\u200e'
        || character == '\u200f'
        || character >= '\u202a' && character <= '\u202e'
        || character >= '\u2066' && character <= '\u2069';
  }
}
