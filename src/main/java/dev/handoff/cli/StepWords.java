package dev.handoff.cli;

import dev.handoff.Durations;
import dev.handoff.JobInfo;
import dev.handoff.PlanInfo;
import dev.handoff.job.AttemptRecord;
import dev.handoff.plan.StepStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
    return step.reason().map(why -> Plain.brief(why, 160)).orElse("");
  }

  /// How long it has taken, from its first start to its end; null if it has not ended, or was not
  /// started.
  static @Nullable Duration took(JobInfo job) {
    var started = started(job.state().trail().attempts());
    return started == null || job.state().endedAt().isEmpty()
        ? null
        : Duration.between(started, job.state().endedAt().get());
  }

  private static @Nullable Instant started(List<AttemptRecord> attempts) {
    return attempts.isEmpty() ? null : attempts.getFirst().startedAt();
  }
}
