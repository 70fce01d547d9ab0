package dev.handoff.internal.engine;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.JobId;
import dev.handoff.JobStatus;
import dev.handoff.internal.dispatch.worker.ProgressSeen;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.text.SafeText;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Short record of a fact or of progress, without payload, result or stack trace, so that many
/// events fit into memory.
///
/// @param name logical name of the fact, or `progress`
/// @param about detail; converted to text only when an event is read
public record EngineEvent(
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

  /// Event of a fact, with the job's state after it.
  static EngineEvent of(long number, JobFact fact, JobState job, Instant seen) {
    return new EngineEvent(
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

  static EngineEvent of(long number, ProgressSeen progress, Instant seen) {
    var said = progress.progress();
    return new EngineEvent(
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
      case JobFact.Succeeded silent -> null;
      case JobFact.AttemptStopped silent -> null;
      case JobFact.ForRecord silent -> null;
    };
  }

  private static String why(JobFact.AttemptEnd end) {
    return end.cause().label() + ": " + SafeText.clean(end.error().message(), LONGEST);
  }
}
