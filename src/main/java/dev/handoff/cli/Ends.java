package dev.handoff.cli;

import dev.handoff.Durations;
import dev.handoff.JobInfo;
import dev.handoff.job.EndCause;
import dev.handoff.job.Phase;
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
      return Durations.format(Duration.parse(text));
    } catch (DateTimeException other) {
      return text;
    }
  }

  /// Why it did not succeed; empty if it did, or has not ended.
  static String reason(JobInfo job) {
    return switch (job.state().phase()) {
      case Phase.Failed(var cause, var error, var at) ->
          cause == EndCause.FAILED ? error.message() : cause.label() + ": " + error.message();
      case Phase.Cancelled over ->
          over.request().reason() + (over.abandoned() ? " (abandoned)" : "");
      case Phase.Succeeded none -> "";
      case Phase.Idle none -> "";
      case Phase.Claimed none -> "";
      case Phase.Running none -> "";
      case Phase.Stopping none -> "";
    };
  }
}
