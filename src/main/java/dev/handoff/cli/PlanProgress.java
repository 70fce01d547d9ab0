package dev.handoff.cli;

import dev.handoff.Durations;
import dev.handoff.JobInfo;
import dev.handoff.PlanInfo;
import dev.handoff.job.AttemptRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Shows how far a plan is: as a tree that is drawn again and again where there is a terminal, else
/// as a line for each step that ends or is tried again, or, where these would be too many, as a
/// line now and then.
final class PlanProgress {

  private static final int MOST_STEPS = 200;
  private static final long SAY_EVERY = TimeUnit.SECONDS.toNanos(5);

  /// What was said of a step last.
  private record Said(String status, int attempts) {
    private static final Said NOTHING = new Said("", 0);
  }

  private final boolean isBrief;
  private final Map<String, Said> said = new HashMap<>();
  private long lastSaid = System.nanoTime();

  /// @param isBrief whether the steps are not told of
  PlanProgress(boolean isBrief) {
    this.isBrief = isBrief;
  }

  /// Something may have changed.
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
      screen.say(
          "%d of %d steps done, %s".formatted(plan.done(), plan.size(), Durations.format(elapsed)));
    }
  }

  private void steps(PlanInfo plan, String at, Screen screen) {
    for (var step : plan.steps()) {
      var path = at + step.name();
      step.plan().ifPresent(child -> steps(child, path + "/", screen));
      var before = said.getOrDefault(path, Said.NOTHING);
      var now =
          new Said(step.state().status().label(), step.job().map(PlanProgress::failures).orElse(0));
      said.put(path, now);
      if (step.state().status().isTerminal()) {
        if (!before.status().equals(now.status())) {
          screen.say(StepWords.ended(path, step));
        }
      } else if (now.attempts() > before.attempts()) {
        screen.say(StepWords.again(path, step.job().orElseThrow()));
      }
    }
  }

  private static int failures(JobInfo job) {
    return (int)
        job.state().trail().attempts().stream()
            .map(AttemptRecord::cause)
            .filter(cause -> cause != null)
            .count();
  }
}
