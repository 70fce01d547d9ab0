package dev.handoff.cli;

import dev.handoff.Durations;
import dev.handoff.JobInfo;
import dev.handoff.PlanInfo;
import dev.handoff.cli.Screen.Style;
import dev.handoff.job.JobStatus;
import dev.handoff.job.Phase;
import dev.handoff.plan.StepStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jline.utils.AttributedString;

/// A plan while it runs, as lines that fit a terminal: its steps, as far as there is room for them,
/// and a bar.
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
        Bar.pace(done, done, counts.all(), elapsed, note) + "  " + Durations.format(elapsed);
    return Bar.draw(done, counts.all(), screen.width(), words);
  }

  private void add(PlanInfo plan, int depth) {
    for (var step : plan.steps()) {
      rows.add(new Row(depth, step));
      step.plan().ifPresent(child -> add(child, depth + 1));
    }
  }

  /// All steps if they fit, else those that matter most at the moment.
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
    return step.state().status() == StepStatus.RELEASED;
  }

  private static boolean hasFailed(PlanInfo.Step step) {
    return step.state().status() == StepStatus.FAILED;
  }

  private String line(Row row) {
    int names =
        rows.stream().mapToInt(one -> 2 * one.depth() + one.step().name().length()).max().orElse(0);
    var name = "  ".repeat(row.depth()) + Plain.brief(row.step().name(), LONGEST_NAME);
    var padded = name + " ".repeat(Math.max(0, Math.min(names, LONGEST_NAME) - name.length()));
    var text = "%s %s  %s".formatted(sign(row.step()), padded, detail(row.step())).stripTrailing();
    return screen.styled(style(row.step()), fitting(text));
  }

  private static String sign(PlanInfo.Step step) {
    return switch (step.state().status()) {
      case WAITING -> Bar.UNICODE ? "·" : ".";
      case RELEASED -> Bar.UNICODE ? "▸" : ">";
      case SUCCEEDED -> Bar.UNICODE ? "✓" : "+";
      case FAILED -> Bar.UNICODE ? "✗" : "x";
      case CANCELLED -> "-";
    };
  }

  private static Style style(PlanInfo.Step step) {
    return switch (step.state().status()) {
      case WAITING -> Style.DIM;
      case RELEASED -> Style.CYAN;
      case SUCCEEDED -> Style.GREEN;
      case FAILED -> Style.RED;
      case CANCELLED -> Style.YELLOW;
    };
  }

  private static String detail(PlanInfo.Step step) {
    return switch (step.state().status()) {
      case WAITING ->
          step.spec().after().isEmpty() ? "" : "after " + String.join(", ", step.spec().after());
      case RELEASED -> underWay(step);
      case SUCCEEDED -> StepWords.success(step);
      case FAILED, CANCELLED -> StepWords.reason(step);
    };
  }

  private static String underWay(PlanInfo.Step step) {
    if (step.plan().isPresent()) {
      var child = StepCounts.of(step.plan().get());
      return "%s %d/%d"
          .formatted(Bar.of(child.done(), child.all(), BAR), child.done(), child.all());
    }
    return step.job().map(PlanTree::job).orElse("");
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
    var progress = job.state().trail().progress();
    if (job.status() == JobStatus.CANCELLING) {
      words.add("being stopped");
    }
    if (progress != null) {
      words.add(
          "%s %.0f %%"
              .formatted(
                  Bar.of(Math.round(100 * progress.fraction()), 100, BAR),
                  100 * progress.fraction()));
      words.add(Plain.brief(progress.message(), 60));
    }
    job.state()
        .underway()
        .filter(run -> run.startedAt() != null)
        .ifPresent(
            run -> words.add(Durations.format(Duration.between(run.startedAt(), job.seen()))));
    return words.stream().filter(word -> !word.isEmpty()).toList();
  }

  /// Why it does not run although it may: it is tried again later, or there is no worker for it.
  private static String due(JobInfo job) {
    var ends = job.state().trail().attempts();
    boolean isLater =
        job.state().phase() instanceof Phase.Pending(var due) && due.isAfter(job.seen());
    if (ends.isEmpty() || ends.getLast().error() == null) {
      return job.status().label();
    }
    var words = Plain.brief(ends.getLast().error().message(), 60);
    return isLater ? "tried again soon: " + words : "tried again: " + words;
  }
}
