package dev.handoff.job;

import com.typesafe.config.Config;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The log of failed attempts, one line each, written when the failure is durable: `handoff.log` in
/// `reference.conf`. The stack trace follows where it is not that of the attempt before.
///
/// @param attempt at which level an attempt is told after which there is another one; null = not
/// @param job at which level an attempt is told with which its job has failed; null = not
public record FailureLog(@Nullable Level attempt, @Nullable Level job) {

  static final FailureLog USUAL = new FailureLog(Level.WARN, Level.ERROR);

  /// A name of its own, so that a host can turn these lines off, or put them elsewhere.
  public static final String NAME = "dev.handoff.failures";

  private static final Logger log = LoggerFactory.getLogger(NAME);
  private static final List<String> LEVELS = List.of("off", "debug", "info", "warn", "error");
  private static final int LONGEST = 1_000;
  private static final String USED_UP = "its attempts are used up";

  /// @throws IllegalArgumentException naming the key of a level that there is not
  static FailureLog from(Config handoff) {
    return new FailureLog(level(handoff, "log.failed-attempt"), level(handoff, "log.failed-job"));
  }

  private static @Nullable Level level(Config handoff, String key) {
    var name = handoff.getString(key).toLowerCase(Locale.ROOT);
    if (!LEVELS.contains(name)) {
      throw new IllegalArgumentException(
          "handoff.%s must be one of %s, was %s"
              .formatted(key, String.join(", ", LEVELS), Text.shown(name)));
    }
    return name.equals("off") ? null : Level.valueOf(name.toUpperCase(Locale.ROOT));
  }

  /// There will be another attempt.
  ///
  /// @param quiet whether this is one of many that the engine has told in one line
  void again(JobState after, JobFact.AttemptEnd end, Instant due, boolean quiet) {
    var next =
        due.equals(end.at()) ? "the next one may begin at once" : "the next one begins at " + due;
    tell(quiet && attempt != null ? Level.DEBUG : attempt, after, end, next);
  }

  /// @param ended what the job was told that has ended it
  void forGood(JobState after, JobFact.AttemptEnd end, @Nullable JobCommand ended) {
    var next =
        "and the job with it (attempt %d of %d; not tried again: %s)"
            .formatted(after.starts(), after.spec().options().maxAttempts(), whyNot(ended));
    tell(job, after, end, next);
  }

  private static String whyNot(@Nullable JobCommand ended) {
    return switch (ended) {
      case JobCommand.Report(int attempt, AttemptReport.Threw threw, var notes)
          when threw.forGood() ->
          threw.why() == null ? "no second try can mend it" : Text.shown(threw.why());
      case JobCommand.GiveUp broken -> "the engine cannot go on with it";
      case null -> USED_UP;
      case JobCommand other -> USED_UP;
    };
  }

  private static void tell(
      @Nullable Level level, JobState after, JobFact.AttemptEnd end, String next) {
    if (level != null && log.isEnabledForLevel(level)) {
      log.atLevel(level)
          .log(
              "job [{}] of type [{}]: attempt [{}] has failed, {}: {}{}",
              after.id(),
              after.spec().type(),
              end.attempt(),
              next,
              why(end),
              stack(after, end));
    }
  }

  private static String why(JobFact.AttemptEnd end) {
    var error = end.error();
    var message = Text.shown(error.message(), LONGEST);
    return end.cause() == EndCause.FAILED
        ? Text.shown(error.type(), LONGEST) + ": " + message
        : end.cause().label() + ": " + message;
  }

  private static String stack(JobState after, JobFact.AttemptEnd end) {
    var frames = frames(end.error());
    var before = after.trail().attempt(end.attempt() - 1);
    boolean isKnown =
        before != null && before.error() != null && frames.equals(frames(before.error()));
    return frames.isEmpty()
        ? ""
        : isKnown ? " (where attempt [%d] has failed)".formatted(before.number()) : "\n" + frames;
  }

  /// Only what looks like a frame or a cause: a message may have lines that look like others.
  private static String frames(JobError error) {
    return Arrays.stream(error.stack().split("\n"))
        .filter(line -> line.startsWith("\tat ") || line.startsWith("\t... ") || isCause(line))
        .map(line -> (line.startsWith("\t") ? "\t" : "") + Text.shown(line.strip(), LONGEST))
        .collect(Collectors.joining("\n"));
  }

  private static boolean isCause(String line) {
    return Stream.of("Caused by: ", "\tSuppressed: ").anyMatch(line::startsWith);
  }
}
