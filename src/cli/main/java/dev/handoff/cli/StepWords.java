package dev.handoff.cli;

import dev.handoff.JobInfo;
import dev.handoff.internal.text.Durations;
import dev.handoff.plan.PlanInfo;
import java.time.Duration;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Texts about a plan's step.
final class StepWords {

  private StepWords() {}

  /// Line about the end of a step.
  static String ended(String path, PlanInfo.Step step) {
    var how = step.stage().label();
    var more = step.stage() == PlanInfo.StepStatus.SUCCEEDED ? success(step) : reason(step);
    return "%s: %s%s".formatted(path, how, more.isEmpty() ? "" : ", " + more);
  }

  /// Line about a retry, with its reason.
  static String again(String path, JobInfo job) {
    var last = job.attempts().getLast();
    return "%s: attempt %d %s%s"
        .formatted(
            path,
            last.attempt(),
            last.outcome() == JobInfo.AttemptOutcome.SUCCEEDED ? "ended" : last.outcome().label(),
            last.error().map(error -> ", " + TerminalText.brief(error.message(), 160)).orElse(""));
  }

  /// Duration and attempt number of a succeeded step.
  static String success(PlanInfo.Step step) {
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

  /// Reason of a failed or cancelled step.
  static String reason(PlanInfo.Step step) {
    return step.reason().map(why -> TerminalText.brief(JobEndText.told(why), 160)).orElse("");
  }

  /// Duration of the last attempt; null for an unfinished or never started job. Time between
  /// attempts is excluded: no process may have run for a whole night.
  static @Nullable Duration took(JobInfo job) {
    if (job.attempts().isEmpty() || job.finishedAt().isEmpty()) {
      return null;
    }
    var last = job.attempts().getLast();
    return last.startedAt().map(since -> Duration.between(since, last.endedAt())).orElse(null);
  }
}
