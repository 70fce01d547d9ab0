package dev.handoff.internal.job;

import com.typesafe.config.Config;
import dev.handoff.JobError;
import dev.handoff.internal.text.SafeText;
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

/// Log of failed attempts, one line each, written after the failure is durable: `handoff.log` in
/// `reference.conf`. A stack trace follows unless it equals that of the attempt before.
///
/// @param attempt log level of an attempt that is followed by another; null = not logged
/// @param job log level of an attempt whose failure ends the job; null = not logged
public record FailureLog(@Nullable Level attempt, @Nullable Level job) {

  static final FailureLog USUAL = new FailureLog(Level.WARN, Level.ERROR);

  /// Separate logger name: a host can turn these lines off or redirect them.
  public static final String NAME = "dev.handoff.failures";

  private static final Logger log = LoggerFactory.getLogger(NAME);
  private static final List<String> LEVELS = List.of("off", "debug", "info", "warn", "error");
  private static final int LONGEST = 1_000;
  private static final String USED_UP = "its attempts are used up";

  /// @throws IllegalArgumentException with the configuration key, if a level is unknown
  static FailureLog from(Config handoff) {
    return new FailureLog(level(handoff, "log.failed-attempt"), level(handoff, "log.failed-job"));
  }

  private static @Nullable Level level(Config handoff, String key) {
    var name = handoff.getString(key).toLowerCase(Locale.ROOT);
    if (!LEVELS.contains(name)) {
      throw new IllegalArgumentException(
          "handoff.%s must be one of %s, was %s"
              .formatted(key, String.join(", ", LEVELS), SafeText.shown(name)));
    }
    return name.equals("off") ? null : Level.valueOf(name.toUpperCase(Locale.ROOT));
  }

  /// Logs a failed attempt before a retry.
  ///
  /// @param quiet whether the attempt is one of many that the engine sums up in one line
  void again(JobState after, JobFact.AttemptEnd end, Instant due, boolean quiet) {
    var next =
        due.equals(end.at()) ? "the next one may begin at once" : "the next one begins at " + due;
    tell(quiet && attempt != null ? Level.DEBUG : attempt, after, end, next);
  }

  /// Logs a failed attempt that ends the job.
  ///
  /// @param ended command that ended the job
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
          threw.why() == null ? "no second try can mend it" : SafeText.shown(threw.why());
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
    var message = SafeText.shown(error.message(), LONGEST);
    return end.cause() == EndCause.FAILED
        ? SafeText.shown(error.type(), LONGEST) + ": " + message
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

  /// Keeps only lines that look like a stack frame or a cause; exception messages may contain
  /// arbitrary lines.
  private static String frames(JobError error) {
    return Arrays.stream(error.stack().split("\n"))
        .filter(line -> line.startsWith("\tat ") || line.startsWith("\t... ") || isCause(line))
        .map(line -> (line.startsWith("\t") ? "\t" : "") + SafeText.shown(line.strip(), LONGEST))
        .collect(Collectors.joining("\n"));
  }

  private static boolean isCause(String line) {
    return Stream.of("Caused by: ", "\tSuppressed: ").anyMatch(line::startsWith);
  }
}
