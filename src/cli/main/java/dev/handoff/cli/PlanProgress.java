package dev.handoff.cli;

import dev.handoff.JobInfo;
import dev.handoff.internal.text.Durations;
import dev.handoff.plan.PlanInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Displays the progress of a plan: a tree on a terminal, otherwise a line per ended or retried
/// step. Large plans without a terminal get a periodic summary line.
final class PlanProgress {

  private static final int MOST_STEPS = 200;
  private static final long SAY_EVERY = TimeUnit.SECONDS.toNanos(5);

  /// Last reported state of a step.
  private record Said(String status, int attempts) {
    private static final Said NOTHING = new Said("", 0);
  }

  private final boolean isBrief;
  private final Instant since;
  private final Map<String, Said> said = new HashMap<>();
  private long lastSaid = System.nanoTime();

  /// @param isBrief suppresses step messages
  /// @param since ends before this time are not reported
  PlanProgress(boolean isBrief, Instant since) {
    this.isBrief = isBrief;
    this.since = since.truncatedTo(ChronoUnit.MILLIS);
  }

  /// Reports steps that have changed.
  void changed(PlanInfo plan, Screen screen) {
    if (!screen.isTerminal() && !isBrief && plan.size() <= MOST_STEPS) {
      steps(plan, "", screen);
    }
  }

  void draw(PlanInfo plan, Screen screen, Duration elapsed) {
    screen.status(PlanTree.of(plan, screen, elapsed));
    boolean isSilent = isBrief || plan.size() > MOST_STEPS;
    if (!screen.isTerminal() && isSilent && System.nanoTime() - lastSaid > SAY_EVERY) {
      lastSaid = System.nanoTime();
      var counts = StepCounts.of(plan);
      screen.say(
          "%d of %d steps done%s, %s"
              .formatted(
                  counts.done(),
                  counts.all(),
                  StepCounts.included(plan),
                  Durations.format(elapsed)));
    }
  }

  private void steps(PlanInfo plan, String at, Screen screen) {
    for (var step : plan.steps()) {
      var path = at + step.name();
      step.plan().ifPresent(child -> steps(child, path + "/", screen));
      var before = said.getOrDefault(path, Said.NOTHING);
      var now = new Said(step.stage().label(), step.info().map(this::failures).orElse(0));
      said.put(path, now);
      if (step.stage().isTerminal()) {
        if (!before.status().equals(now.status()) && isNew(step)) {
          screen.say(StepWords.ended(path, step));
        }
      } else if (now.attempts() > before.attempts()) {
        screen.say(StepWords.again(path, step.info().orElseThrow()));
      }
    }
  }

  private boolean isNew(PlanInfo.Step step) {
    return step.plan()
        .flatMap(PlanInfo::finishedAt)
        .or(() -> step.info().flatMap(JobInfo::finishedAt))
        .filter(end -> end.isBefore(since))
        .isEmpty();
  }

  private int failures(JobInfo job) {
    return (int)
        job.attempts().stream()
            .filter(attempt -> !attempt.endedAt().isBefore(since))
            .filter(attempt -> attempt.outcome() != JobInfo.AttemptOutcome.SUCCEEDED)
            .count();
  }
}
