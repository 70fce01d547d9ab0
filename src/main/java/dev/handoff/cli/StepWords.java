package dev.handoff.cli;

import dev.handoff.AttemptOutcome;
import dev.handoff.Durations;
import dev.handoff.JobInfo;
import dev.handoff.StepInfo;
import dev.handoff.plan.StepStatus;
import java.time.Duration;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// What there is to say of one step of a plan.
final class StepWords {

  private StepWords() {}

  /// How it ended, as a line.
  static String ended(String path, StepInfo step) {
    var how = step.stage().label();
    var more = step.stage() == StepStatus.SUCCEEDED ? success(step) : reason(step);
    return "%s: %s%s".formatted(path, how, more.isEmpty() ? "" : ", " + more);
  }

  /// That it is tried once more, and why.
  static String again(String path, JobInfo job) {
    var last = job.attempts().getLast();
    return "%s: attempt %d %s%s"
        .formatted(
            path,
            last.attempt(),
            last.outcome() == AttemptOutcome.SUCCEEDED ? "ended" : last.outcome().label(),
            last.error().map(error -> ", " + Plain.brief(error.message(), 160)).orElse(""));
  }

  /// Of one that succeeded: how long it took, and how often it was tried.
  static String success(StepInfo step) {
    var words = new ArrayList<String>();
    step.info()
        .map(StepWords::took)
        .ifPresent(took -> words.add("after " + Durations.format(took)));
    step.info()
        .map(JobInfo::attempt)
        .filter(attempt -> attempt > 1)
        .ifPresent(attempt -> words.add("attempt " + attempt));
    step.plan().ifPresent(child -> words.add(PlanText.count(child.size(), "step")));
    return String.join(", ", words);
  }

  /// Of one that did not.
  static String reason(StepInfo step) {
    return step.reason().map(why -> Plain.brief(Ends.told(why), 160)).orElse("");
  }

  /// How long its last attempt has taken; null if it has not ended, or was not started. What was
  /// between attempts may be a night without a process.
  static @Nullable Duration took(JobInfo job) {
    if (job.attempts().isEmpty() || job.finishedAt().isEmpty()) {
      return null;
    }
    var last = job.attempts().getLast();
    return last.startedAt().map(since -> Duration.between(since, last.endedAt())).orElse(null);
  }
}
