package dev.handoff.cli;

import dev.handoff.JobInfo;
import dev.handoff.internal.text.Durations;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Pattern;

/// Short description of a job's end.
final class JobEndText {

  /// ISO-8601 duration, as in recorded reasons.
  private static final Pattern DURATION = Pattern.compile("\\bPT[0-9][0-9.HMS]*");

  private JobEndText() {}

  /// Recorded reason as one line with readable durations.
  static String told(String reason) {
    return TerminalText.line(DURATION.matcher(reason).replaceAll(found -> duration(found.group())));
  }

  private static String duration(String text) {
    try {
      return Durations.exact(Duration.parse(text));
    } catch (DateTimeException other) {
      return text;
    }
  }

  /// Reason of a failure or cancel; empty for a succeeded or unfinished job.
  static String reason(JobInfo job) {
    return switch (job.status()) {
      case FAILED -> failure(job.cause().orElseThrow(), job.error().orElseThrow().message());
      case CANCELLED -> cancel(job.cancel().orElseThrow());
      case WAITING, SCHEDULED, QUEUED, CLAIMED, RUNNING, CANCELLING, SUCCEEDED -> "";
    };
  }

  private static String failure(JobInfo.AttemptOutcome cause, String message) {
    return cause == JobInfo.AttemptOutcome.FAILED ? message : cause.label() + ": " + message;
  }

  private static String cancel(JobInfo.Cancel cancel) {
    return cancel.reason() + (cancel.abandoned() ? " (abandoned)" : "");
  }
}
