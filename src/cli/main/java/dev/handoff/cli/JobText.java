package dev.handoff.cli;

import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobStatus;
import dev.handoff.cli.Screen.Style;
import dev.handoff.internal.text.Durations;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Full description of a job for users.
final class JobText {

  private final JobInfo job;
  private final Screen screen;
  private final StringBuilder text = new StringBuilder();

  private JobText(JobInfo job, Screen screen) {
    this.job = job;
    this.screen = screen;
  }

  static String of(JobInfo job, Screen screen) {
    var text = new JobText(job, screen);
    text.request();
    text.life();
    text.attempts();
    text.log();
    text.end();
    return text.text.toString();
  }

  private void request() {
    field("job", job.id().value());
    field("status", screen.styled(JobTable.styleOf(job.status()), job.status().label()) + ended());
    field("type", TerminalText.line(job.type()));
    field(
        "queue",
        TerminalText.line(job.queue())
            + (job.priority() == 0 ? "" : ", priority " + job.priority()));
    field("plan", job.plan().map(PlanId::value));
    field("step", job.step().map(TerminalText::line));
    field("key", job.key().map(TerminalText::line));
    field("labels", labels());
    field("timeout", job.timeout().map(Durations::exact));
    field("heartbeat", job.heartbeatTimeout().map(Durations::exact));
    field("payload", TerminalText.line(job.payload().toString()));
  }

  /// Note about a running job. A readable store has no engine, so the attempt was interrupted.
  private String ended() {
    return JobTable.isUnderWay(job) ? " when its process ended: the next engine detects that" : "";
  }

  private void life() {
    field("created", JobTable.time(job.createdAt()));
    field("not before", job.runAt().map(JobTable::time));
    field("next run", job.nextRunAt().filter(due -> due.isAfter(job.seenAt())).map(JobTable::time));
    field("finished", job.finishedAt().map(JobTable::time));
    field("starts", "%d of %d used".formatted(job.starts(), job.maxAttempts()));
    field("progress", job.progress().map(JobText::progress));
    if (!job.children().isEmpty()) {
      field(
          "children", job.children().stream().map(JobId::value).collect(Collectors.joining(", ")));
    }
  }

  private static String progress(JobInfo.Progress said) {
    var words = said.message().isEmpty() ? "" : ", " + TerminalText.line(said.message());
    return "%.0f %%%s".formatted(100 * said.fraction(), words);
  }

  private void attempts() {
    if (job.attempts().isEmpty() && job.worker().isEmpty()) {
      return;
    }
    heading("attempts");
    job.attempts().forEach(attempt -> line(past(attempt)));
    job.worker().ifPresent(worker -> line(underway(worker)));
  }

  private String underway(String worker) {
    var since = job.startedAt().map(at -> "running since " + JobTable.time(at)).orElse("claimed");
    return "%3d  %s  on %s/%s"
        .formatted(
            job.attempt(),
            since,
            TerminalText.line(job.node().orElseThrow()),
            TerminalText.line(worker));
  }

  private static String past(JobInfo.Attempt attempt) {
    var words =
        attempt.error().map(error -> "  " + TerminalText.brief(error.message(), 200)).orElse("");
    return "%3d  %s  %s%s%s%s  on %s"
        .formatted(
            attempt.attempt(),
            JobTable.time(attempt.claimedAt()),
            attempt.outcome().label(),
            after(attempt.startedAt(), attempt.endedAt()),
            words,
            attempt.abandoned()
                ? "  (abandoned: its code may still run)"
                : attempt
                    .late()
                    .map(late -> "  (late: %s)".formatted(TerminalText.line(late)))
                    .orElse(""),
            TerminalText.line(attempt.worker()));
  }

  private static String after(Optional<Instant> started, Instant ended) {
    return started
        .map(since -> " after " + Durations.format(Duration.between(since, ended)))
        .orElse(" before its handler was called");
  }

  private void log() {
    if (!job.log().isEmpty()) {
      heading("log");
      job.log().forEach(entry -> line(TerminalText.line(entry)));
    }
    heading("history");
    job.history().forEach(entry -> line(history(entry)));
  }

  private static String history(JobInfo.HistoryEntry entry) {
    var attempt = entry.attempt();
    return JobTable.time(entry.at())
        + "  "
        + entry.what()
        + entry.by().map(by -> " by " + TerminalText.line(by)).orElse("")
        + (attempt.isEmpty() ? "" : " (attempt %d)".formatted(attempt.getAsInt()));
  }

  private void end() {
    job.result().ifPresent(result -> section("result", result.toString()));
    if (job.status() == JobStatus.FAILED) {
      section("error", words(job.error().orElseThrow()));
    }
    job.cancel()
        .ifPresent(
            cancel ->
                section(
                    job.status() == JobStatus.CANCELLED ? "cancelled" : "being cancelled",
                    words(cancel)));
  }

  private static String words(JobInfo.Cancel cancel) {
    return "by %s: %s%s%s"
        .formatted(
            cancel.by(),
            cancel.reason(),
            cancel.abandoned() ? "\nabandoned: its code may still run" : "",
            cancel.discarded() ? "\na result that came later was discarded" : "");
  }

  private static String words(JobError error) {
    return error.stack().isBlank()
            || error.stack().strip().equals(error.type() + ": " + error.message())
        ? error.type() + ": " + error.message()
        : error.stack();
  }

  private Optional<String> labels() {
    var labels =
        job.labels().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(label -> TerminalText.line(label.getKey() + "=" + label.getValue()))
            .collect(Collectors.joining(", "));
    return Optional.of(labels).filter(text -> !text.isEmpty());
  }

  private void field(String name, Optional<String> value) {
    value.ifPresent(text -> field(name, text));
  }

  private void field(String name, String value) {
    text.append(screen.styled(Style.DIM, "%-10s".formatted(name)))
        .append("  ")
        .append(value)
        .append('\n');
  }

  private void section(String name, String content) {
    heading(name);
    TerminalText.lines(content.strip()).lines().forEach(this::line);
  }

  private void heading(String name) {
    text.append('\n').append(screen.styled(Style.BOLD, name)).append('\n');
  }

  private void line(String line) {
    text.append("  ").append(line).append('\n');
  }
}
