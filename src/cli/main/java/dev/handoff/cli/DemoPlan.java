package dev.handoff.cli;

import dev.handoff.JobInfo;
import dev.handoff.JobStatus;
import dev.handoff.internal.text.Durations;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanStatus;
import java.time.Duration;
import java.util.List;

/// Demo act that runs the plan and shows its steps.
final class DemoPlan {

  private final DemoStage stage;
  private final DemoVoice voice;
  private final Screen screen;

  DemoPlan(DemoStage stage, DemoVoice voice, Screen screen) {
    this.stage = stage;
    this.voice = voice;
    this.screen = screen;
  }

  /// Expectations for the steps.
  static List<DemoRole> roles() {
    return List.of(
        DemoRole.of(
            DemoSteps.FLAWLESS.size() + " steps",
            "succeed at once",
            DemoSteps.FLAWLESS.stream().map(DemoRemains::step).toList(),
            JobStatus.SUCCEEDED,
            JobInfo.AttemptOutcome.SUCCEEDED),
        DemoRole.of(
            "the news step",
            "fail once, then succeed",
            List.of(DemoRemains.step(DemoSteps.NEWS)),
            JobStatus.SUCCEEDED,
            JobInfo.AttemptOutcome.FAILED,
            JobInfo.AttemptOutcome.SUCCEEDED));
  }

  /// @return the ended plan
  PlanInfo play() throws InterruptedException {
    voice.title("A plan: ten steps change a small site, three at a time.");
    voice.tell("A step is a job, or a plan of its own, like look. What a step changes is");
    voice.tell("kept together with its success, or not at all. The news fail once, and the");
    voice.tell("menu waits for them.");
    long since = System.nanoTime();
    var plan = stage.handoff().plans().submitOrThrow(DemoSteps.plan());
    var ended = stage.await(plan.ended(), () -> draw(plan, since));
    voice.tell(StepTable.of(ended, screen));
    var status = ended.status();
    voice.check(status == PlanStatus.SUCCEEDED, "the plan has " + status.label());
    voice.done(
        "%s after %s; the news failed with \"%s\""
            .formatted(status.label(), Durations.format(elapsed(since)), firstError(ended)));
    return ended;
  }

  private void draw(PlanHandle plan, long since) {
    plan.info()
        .toCompletableFuture()
        .join()
        .ifPresent(seen -> screen.status(PlanTree.of(seen, screen, elapsed(since))));
  }

  private static String firstError(PlanInfo plan) {
    return plan.steps().stream()
        .filter(step -> step.name().equals(DemoSteps.NEWS))
        .flatMap(step -> step.info().stream())
        .flatMap(job -> errors(job).stream())
        .findFirst()
        .orElse("");
  }

  private static List<String> errors(JobInfo job) {
    return job.attempts().stream()
        .flatMap(attempt -> attempt.error().stream())
        .map(error -> TerminalText.brief(error.message(), 60))
        .toList();
  }

  private static Duration elapsed(long since) {
    return Duration.ofNanos(System.nanoTime() - since);
  }
}
