package dev.handoff.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.handoff.Durations;
import dev.handoff.JobInfo;
import dev.handoff.JobJson;
import dev.handoff.cli.Screen.Style;
import dev.handoff.job.AttemptRecord;
import dev.handoff.job.JobError;
import dev.handoff.job.JobState;
import dev.handoff.job.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One job in full, to be read by people.
final class JobText {

  private final JobInfo job;
  private final JobState state;
  private final Screen screen;
  private final StringBuilder text = new StringBuilder();

  private JobText(JobInfo job, Screen screen) {
    this.job = job;
    this.state = job.state();
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
    var spec = state.spec();
    var options = spec.options();
    field("job", state.id().value());
    field("status", screen.styled(JobTable.styleOf(job.status()), job.status().label()));
    field("type", Plain.line(spec.type()));
    field(
        "queue",
        Plain.line(spec.queue()) + (spec.priority() == 0 ? "" : ", priority " + spec.priority()));
    field("plan", spec.plan());
    field("step", spec.plan() == null ? null : Plain.line(String.valueOf(spec.origin().step())));
    field("key", spec.key() == null ? null : Plain.line(spec.key()));
    field("labels", labels());
    field("timeout", options.timeout() == null ? null : Durations.format(options.timeout()));
    field(
        "heartbeat",
        options.heartbeatTimeout() == null ? null : Durations.format(options.heartbeatTimeout()));
    field("payload", Plain.line(spec.payload().toString()));
  }

  private void life() {
    var spec = state.spec();
    field("created", JobTable.time(state.createdAt()));
    field("not before", spec.runAt() == null ? null : JobTable.time(spec.runAt()));
    field(
        "next run",
        state.phase() instanceof Phase.Pending(var due) && due.isAfter(job.seen())
            ? JobTable.time(due)
            : null);
    field("finished", state.endedAt().map(JobTable::time).orElse(null));
    field("starts", "%d of %d used".formatted(state.starts(), spec.options().maxAttempts()));
    var progress = state.trail().progress();
    field(
        "progress",
        progress == null
            ? null
            : "%.0f %%%s"
                .formatted(
                    100 * progress.fraction(),
                    progress.message().isEmpty() ? "" : ", " + Plain.line(progress.message())));
    if (!state.trail().children().isEmpty()) {
      field(
          "children",
          state.trail().children().stream()
              .map(child -> child.id().value())
              .collect(Collectors.joining(", ")));
    }
  }

  private void attempts() {
    if (state.trail().attempts().isEmpty() && state.underway().isEmpty()) {
      return;
    }
    heading("attempts");
    state.trail().attempts().forEach(attempt -> line(past(attempt)));
    state
        .underway()
        .ifPresent(
            run ->
                line(
                    "%3d  %s  on %s"
                        .formatted(
                            state.attempt(),
                            run.startedAt() == null
                                ? "claimed"
                                : "running since " + JobTable.time(run.startedAt()),
                            Plain.line(run.by().toString()))));
  }

  private String past(AttemptRecord attempt) {
    var outcome = attempt.cause() == null ? "succeeded" : attempt.cause().label();
    var words = attempt.error() == null ? "" : "  " + Plain.brief(attempt.error().message(), 200);
    return "%3d  %s  %s%s%s%s  on %s"
        .formatted(
            attempt.number(),
            JobTable.time(attempt.claimedAt()),
            outcome,
            after(attempt.startedAt(), attempt.endedAt()),
            words,
            attempt.abandoned()
                ? "  (abandoned: its code may still run)"
                : attempt.late() == null
                    ? ""
                    : "  (late: %s)".formatted(Plain.line(attempt.late())),
            Plain.line(attempt.worker()));
  }

  private static String after(@Nullable Instant started, Instant ended) {
    return started == null
        ? " before its handler was called"
        : " after " + Durations.format(Duration.between(started, ended));
  }

  private void log() {
    if (!state.trail().log().isEmpty()) {
      heading("log");
      state.trail().log().forEach(entry -> line(Plain.line(entry)));
    }
    heading("history");
    JobJson.write(job).get("history").forEach(entry -> line(history(entry)));
  }

  private static String history(JsonNode entry) {
    var attempt = entry.has("attempt") ? " (attempt %s)".formatted(entry.get("attempt")) : "";
    return JobTable.time(Instant.parse(entry.get("at").textValue()))
        + "  "
        + entry.get("what").textValue()
        + (entry.has("by") ? " by " + Plain.line(entry.get("by").textValue()) : "")
        + attempt;
  }

  private void end() {
    switch (state.phase()) {
      case Phase.Succeeded(var result, var at) -> section("result", result.toString());
      case Phase.Failed(var cause, var error, var at) -> section("error", words(error));
      case Phase.Cancelled over ->
          section(
              "cancelled",
              "by %s: %s%s%s"
                  .formatted(
                      over.request().by(),
                      over.request().reason(),
                      over.abandoned() ? "\nabandoned: its code may still run" : "",
                      over.discarded() ? "\na result that came later was discarded" : ""));
      case Phase.Stopping stopping when stopping.request() != null ->
          section(
              "being cancelled",
              "by %s: %s".formatted(stopping.request().by(), stopping.request().reason()));
      case Phase.Stopping none -> {}
      case Phase.Idle none -> {}
      case Phase.Claimed none -> {}
      case Phase.Running none -> {}
    }
  }

  private static String words(JobError error) {
    return error.stack().isBlank()
            || error.stack().strip().equals(error.type() + ": " + error.message())
        ? error.type() + ": " + error.message()
        : error.stack();
  }

  private @Nullable String labels() {
    var labels = state.spec().options().labels();
    return labels.isEmpty()
        ? null
        : labels.entrySet().stream()
            .sorted(java.util.Map.Entry.comparingByKey())
            .map(label -> Plain.line(label.getKey() + "=" + label.getValue()))
            .collect(Collectors.joining(", "));
  }

  private void field(String name, @Nullable String value) {
    if (value != null) {
      text.append(screen.styled(Style.DIM, "%-10s".formatted(name)))
          .append("  ")
          .append(value)
          .append('\n');
    }
  }

  private void section(String name, String content) {
    heading(name);
    Plain.lines(content.strip()).lines().forEach(this::line);
  }

  private void heading(String name) {
    text.append('\n').append(screen.styled(Style.BOLD, name)).append('\n');
  }

  private void line(String line) {
    text.append("  ").append(line).append('\n');
  }
}
