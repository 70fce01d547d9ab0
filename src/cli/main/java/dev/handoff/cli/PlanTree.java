package dev.handoff.cli;

import dev.handoff.JobInfo;
import dev.handoff.JobStatus;
import dev.handoff.cli.Screen.Style;
import dev.handoff.internal.text.Durations;
import dev.handoff.plan.PlanInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jline.utils.AttributedString;

/// Progress of a plan as terminal lines: its steps, as many as fit, and a bar.
final class PlanTree {

  private static final int BAR = 12;
  private static final int LONGEST_NAME = 32;

  private record Row(int depth, PlanInfo.Step step) {}

  private final StepCounts counts;
  private final Screen screen;
  private final List<Row> rows = new ArrayList<>();

  private PlanTree(StepCounts counts, Screen screen) {
    this.counts = counts;
    this.screen = screen;
  }

  static List<String> of(PlanInfo plan, Screen screen, Duration elapsed) {
    var tree = new PlanTree(StepCounts.of(plan), screen);
    tree.add(plan, 0);
    var lines = tree.lines(screen.height() - 1);
    lines.add(bar(tree.counts, screen, elapsed));
    return lines;
  }

  private static String bar(StepCounts counts, Screen screen, Duration elapsed) {
    var note = counts.running() == 0 ? "" : counts.running() + " running";
    int done = counts.done();
    var words =
        ProgressBar.pace(done, done, counts.all(), elapsed, note)
            + "  "
            + Durations.format(elapsed);
    return ProgressBar.draw(done, counts.all(), screen.width(), words);
  }

  private void add(PlanInfo plan, int depth) {
    for (var step : plan.steps()) {
      rows.add(new Row(depth, step));
      step.plan().ifPresent(child -> add(child, depth + 1));
    }
  }

  /// All steps if they fit, otherwise running and failed steps.
  private List<String> lines(int room) {
    var lines = new ArrayList<String>();
    if (rows.size() <= room) {
      rows.forEach(row -> lines.add(line(row)));
      return lines;
    }
    var shown = new ArrayList<Row>();
    rows.stream().filter(row -> isUnderWay(row.step())).limit(room - 1L).forEach(shown::add);
    rows.stream().filter(row -> hasFailed(row.step())).limit(room - 1L).forEach(shown::add);
    rows.stream().filter(shown::contains).limit(room - 1L).forEach(row -> lines.add(line(row)));
    lines.add(rest());
    return lines;
  }

  private String rest() {
    return fitting(
        "  of %,d steps %,d have succeeded, %,d are waiting"
            .formatted(counts.all(), counts.succeeded(), counts.waiting()));
  }

  private String fitting(String text) {
    return new AttributedString(text).columnSubSequence(0, screen.width()).toString();
  }

  private static boolean isUnderWay(PlanInfo.Step step) {
    return step.stage() == PlanInfo.StepStatus.RELEASED;
  }

  private static boolean hasFailed(PlanInfo.Step step) {
    return step.stage() == PlanInfo.StepStatus.FAILED;
  }

  private String line(Row row) {
    int names =
        rows.stream().mapToInt(one -> 2 * one.depth() + one.step().name().length()).max().orElse(0);
    var name = "  ".repeat(row.depth()) + TerminalText.brief(row.step().name(), LONGEST_NAME);
    var padded = name + " ".repeat(Math.max(0, Math.min(names, LONGEST_NAME) - name.length()));
    var text = "%s %s  %s".formatted(sign(row.step()), padded, detail(row.step())).stripTrailing();
    return screen.styled(style(row.step()), fitting(text));
  }

  private static String sign(PlanInfo.Step step) {
    return switch (step.stage()) {
      case WAITING -> ProgressBar.UNICODE ? "·" : ".";
      case RELEASED -> ProgressBar.UNICODE ? "▸" : ">";
      case SUCCEEDED -> ProgressBar.UNICODE ? "✓" : "+";
      case FAILED -> ProgressBar.UNICODE ? "✗" : "x";
      case CANCELLED -> "-";
    };
  }

  private static Style style(PlanInfo.Step step) {
    return switch (step.stage()) {
      case WAITING -> Style.DIM;
      case RELEASED -> Style.CYAN;
      case SUCCEEDED -> Style.GREEN;
      case FAILED -> Style.RED;
      case CANCELLED -> Style.YELLOW;
    };
  }

  private static String detail(PlanInfo.Step step) {
    return switch (step.stage()) {
      case WAITING -> step.after().isEmpty() ? "" : "after " + String.join(", ", step.after());
      case RELEASED -> underWay(step);
      case SUCCEEDED -> StepWords.success(step);
      case FAILED, CANCELLED -> StepWords.reason(step);
    };
  }

  private static String underWay(PlanInfo.Step step) {
    if (step.plan().isPresent()) {
      var child = StepCounts.of(step.plan().get());
      return "%s %d/%d"
          .formatted(ProgressBar.of(child.done(), child.all(), BAR), child.done(), child.all());
    }
    return step.info().map(PlanTree::job).orElse("");
  }

  private static String job(JobInfo job) {
    var words = new ArrayList<String>();
    if (job.attempt() > 1) {
      words.add("attempt %d".formatted(job.attempt()));
    }
    if (job.status() == JobStatus.RUNNING || job.status() == JobStatus.CANCELLING) {
      words.addAll(progress(job));
    } else {
      words.add(due(job));
    }
    return String.join("  ", words);
  }

  private static List<String> progress(JobInfo job) {
    var words = new ArrayList<String>();
    if (job.status() == JobStatus.CANCELLING) {
      words.add("being stopped");
    }
    job.progress()
        .ifPresent(
            said -> {
              words.add(
                  "%s %.0f %%"
                      .formatted(
                          ProgressBar.of(Math.round(100 * said.fraction()), 100, BAR),
                          100 * said.fraction()));
              words.add(TerminalText.brief(said.message(), 60));
            });
    job.startedAt()
        .filter(since -> job.worker().isPresent())
        .ifPresent(since -> words.add(Durations.format(Duration.between(since, job.seenAt()))));
    return words.stream().filter(word -> !word.isEmpty()).toList();
  }

  /// Reason why a released step is not running: a retry delay or no free worker.
  private static String due(JobInfo job) {
    var ends = job.attempts();
    boolean isLater = job.status() == JobStatus.SCHEDULED;
    if (ends.isEmpty() || ends.getLast().error().isEmpty()) {
      return job.status().label();
    }
    var words = TerminalText.brief(ends.getLast().error().get().message(), 60);
    return isLater ? "tried again soon: " + words : "tried again: " + words;
  }
}
