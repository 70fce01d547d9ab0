package dev.handoff.cli;

import dev.handoff.AttemptOutcome;
import dev.handoff.CancelInfo;
import dev.handoff.Durations;
import dev.handoff.JobInfo;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Pattern;

/// The end of a job in a few words.
final class Ends {

  /// As the engine writes durations.
  private static final Pattern DURATION = Pattern.compile("\\bPT[0-9][0-9.HMS]*");

  private Ends() {}

  /// A reason that the engine has recorded, in one line, and with durations as people write them.
  static String told(String reason) {
    return Plain.line(DURATION.matcher(reason).replaceAll(found -> duration(found.group())));
  }

  private static String duration(String text) {
    try {
      return Durations.exact(Duration.parse(text));
    } catch (DateTimeException other) {
      return text;
    }
  }

  /// Why it did not succeed; empty if it did, or has not ended.
  static String reason(JobInfo job) {
    return switch (job.status()) {
      case FAILED -> failure(job.cause().orElseThrow(), job.error().orElseThrow().message());
      case CANCELLED -> cancel(job.cancel().orElseThrow());
      case WAITING, SCHEDULED, QUEUED, CLAIMED, RUNNING, CANCELLING, SUCCEEDED -> "";
    };
  }

  private static String failure(AttemptOutcome cause, String message) {
    return cause == AttemptOutcome.FAILED ? message : cause.label() + ": " + message;
  }

  private static String cancel(CancelInfo cancel) {
    return cancel.reason() + (cancel.abandoned() ? " (abandoned)" : "");
  }
}
