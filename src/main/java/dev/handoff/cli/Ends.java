package dev.handoff.cli;

import dev.handoff.JobInfo;
import dev.handoff.job.EndCause;
import dev.handoff.job.Phase;

/// The end of a job in a few words.
final class Ends {

  private Ends() {}

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
