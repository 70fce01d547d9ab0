package dev.handoff.engine;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.dispatch.ProgressSeen;
import dev.handoff.job.JobFact;
import dev.handoff.job.JobId;
import dev.handoff.job.JobState;
import dev.handoff.job.JobStatus;
import dev.handoff.job.Text;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What is kept of something that happened: small, without payloads, results or stack traces, so
/// that many of them can be kept.
///
/// @param name the logical name of the fact, or `progress`
/// @param about what there is to say; becomes text when somebody reads it
public record Event(
    long number,
    String name,
    JobId job,
    String type,
    String queue,
    JobStatus status,
    int attempt,
    Instant at,
    @Nullable Object about) {

  private static final int LONGEST = 500;

  private static final Map<Class<?>, String> NAMES =
      Arrays.stream(JobFact.class.getAnnotation(JsonSubTypes.class).value())
          .collect(Collectors.toMap(JsonSubTypes.Type::value, JsonSubTypes.Type::name));

  /// A fact, with the state of its job after it.
  static Event of(long number, JobFact fact, JobState job, Instant seen) {
    return new Event(
        number,
        NAMES.get(fact.getClass()),
        job.id(),
        job.spec().type(),
        job.spec().queue(),
        job.status(seen),
        job.attempt(),
        seen,
        about(fact));
  }

  static Event of(long number, ProgressSeen progress, Instant seen) {
    var said = progress.progress();
    return new Event(
        number,
        "progress",
        progress.job(),
        progress.type(),
        progress.queue(),
        JobStatus.RUNNING,
        progress.attempt(),
        seen,
        Math.round(said.fraction() * 100) + " % " + said.message());
  }

  public @Nullable String detail() {
    return about == null ? null : about.toString();
  }

  private static @Nullable Object about(JobFact fact) {
    return switch (fact) {
      case JobFact.RetryScheduled(var end, var due) -> why(end);
      case JobFact.Failed(var end) -> why(end);
      case JobFact.Claimed claimed -> claimed.by();
      case JobFact.CancelRequested(var request) -> request.reason();
      case JobFact.Cancelled cancelled -> cancelled.request().reason();
      case JobFact.Returned returned -> returned.cause().label();
      case JobFact.Postponed later -> "until " + later.due();
      case JobFact.StopRequested stop -> stop.cause().name().toLowerCase(Locale.ROOT);
      case JobFact.LateReport late -> late.what();
      case JobFact.Reopened opened -> "by " + opened.by();
      case JobFact.Submitted silent -> null;
      case JobFact.Released silent -> null;
      case JobFact.Started silent -> null;
      case JobFact.Succeeded silent -> null;
      case JobFact.AttemptStopped silent -> null;
      case JobFact.Checkpointed silent -> null;
      case JobFact.Noted silent -> null;
      case JobFact.ChildAdded silent -> null;
    };
  }

  private static String why(JobFact.AttemptEnd end) {
    return end.cause().label() + ": " + Text.clean(end.error().message(), LONGEST);
  }
}
