package dev.handoff.cli;

import dev.handoff.Durations;
import dev.handoff.JobInfo;
import dev.handoff.PlanInfo;
import dev.handoff.plan.StepStatus;
import java.time.Duration;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// What there is to say of one step of a plan.
final class StepWords {

  private StepWords() {}

  /// How it ended, as a line.
  static String ended(String path, PlanInfo.Step step) {
    var how = step.state().status().label();
    var more = step.state().status() == StepStatus.SUCCEEDED ? success(step) : reason(step);
    return "%s: %s%s".formatted(path, how, more.isEmpty() ? "" : ", " + more);
  }

  /// That it is tried once more, and why.
  static String again(String path, JobInfo job) {
    var last = job.state().trail().attempts().getLast();
    return "%s: attempt %d %s%s"
        .formatted(
            path,
            last.number(),
            last.cause() == null ? "ended" : last.cause().label(),
            last.error() == null ? "" : ", " + Plain.brief(last.error().message(), 160));
  }

  /// Of one that succeeded: how long it took, and how often it was tried.
  static String success(PlanInfo.Step step) {
    var words = new ArrayList<String>();
    step.job().map(StepWords::took).ifPresent(took -> words.add("after " + Durations.format(took)));
    step.job()
        .map(JobInfo::attempt)
        .filter(attempt -> attempt > 1)
        .ifPresent(attempt -> words.add("attempt " + attempt));
    step.plan().ifPresent(child -> words.add(PlanText.count(child.size(), "step")));
    return String.join(", ", words);
  }

  /// Of one that did not.
  static String reason(PlanInfo.Step step) {
    return step.reason().map(why -> Plain.brief(Ends.told(why), 160)).orElse("");
  }

  /// How long its last attempt has taken; null if it has not ended, or was not started. What was
  /// between attempts may be a night without a process.
  static @Nullable Duration took(JobInfo job) {
    var attempts = job.state().trail().attempts();
    if (attempts.isEmpty() || job.state().endedAt().isEmpty()) {
      return null;
    }
    var last = attempts.getLast();
    return last.startedAt() == null ? null : Duration.between(last.startedAt(), last.endedAt());
  }
}
