package dev.handoff;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.json.JobJson;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// Snapshot of a job: plain values, no link to the engine. Component names equal the JSON field
/// names, as [#toJson], the command line and any ObjectMapper of Jackson write them.
///
/// @param key unique key: at most one job has this key
/// @param attempt number of the last attempt; 0 = never claimed
/// @param starts number of starts used since submission, or since the last retry by an operator
/// @param result result of the handler; empty unless the job succeeded
/// @param error error of a failed job, or of the last attempt of a job that has not ended
/// @param cause cause of the failure; empty unless the job failed
/// @param progress last progress that the attempt reported
/// @param worker worker of the current attempt; empty unless an attempt is under way
/// @param node id of the worker's pool
/// @param plan plan that has this job as a step
/// @param step name of the step in that plan
/// @param parent job that submitted this job
/// @param timeout time limit of an attempt; empty = unlimited
/// @param heartbeatTimeout longest silence of an attempt; empty = unlimited
/// @param runAt earliest start time, as submitted
/// @param nextRunAt due time; empty unless the job waits for its time or for a worker
/// @param startedAt time of the handler call in the last attempt
/// @param finishedAt end of the job; empty before
/// @param cancel cancel request; empty without one
/// @param attempts ended attempts, oldest first; of very many, only the first and the last ones
/// @param history events of the job, oldest first
/// @param log newest log lines of its attempts
/// @param children jobs that this job submitted
/// @param seenAt time of the snapshot; the command line leaves this field out
public record JobInfo(
    JobId id,
    String type,
    String queue,
    int priority,
    Optional<String> key,
    JobStatus status,
    int attempt,
    int starts,
    int maxAttempts,
    Json payload,
    Optional<Json> result,
    Optional<JobError> error,
    Optional<AttemptOutcome> cause,
    Optional<Progress> progress,
    Optional<String> worker,
    Optional<String> node,
    Optional<PlanId> plan,
    Optional<String> step,
    Optional<JobId> parent,
    Map<String, String> labels,
    @JsonFormat(shape = Shape.STRING) Optional<Duration> timeout,
    @JsonFormat(shape = Shape.STRING) Optional<Duration> heartbeatTimeout,
    @JsonFormat(shape = Shape.STRING) Instant createdAt,
    @JsonFormat(shape = Shape.STRING) Optional<Instant> runAt,
    @JsonFormat(shape = Shape.STRING) Optional<Instant> nextRunAt,
    @JsonFormat(shape = Shape.STRING) Optional<Instant> startedAt,
    @JsonFormat(shape = Shape.STRING) Optional<Instant> finishedAt,
    Optional<Cancel> cancel,
    List<Attempt> attempts,
    List<HistoryEntry> history,
    List<String> log,
    List<JobId> children,
    @JsonFormat(shape = Shape.STRING) Instant seenAt) {

  /// JSON cannot tell an absent result from a null result: a succeeded job always has a result.
  public JobInfo {
    payload = payload == null ? Json.NULL : payload;
    if (status == JobStatus.SUCCEEDED && result.isEmpty()) {
      result = Optional.of(Json.NULL);
    }
    labels = Map.copyOf(labels);
    attempts = List.copyOf(attempts);
    history = List.copyOf(history);
    log = List.copyOf(log);
    children = List.copyOf(children);
  }

  /// The job as JSON text, as `handoff show --json` prints it.
  public String toJson() {
    return JobJson.write(this).toString();
  }

  /// An ended attempt of a job.
  ///
  /// @param attempt number of the attempt: the fence
  /// @param worker pool and worker that ran the attempt
  /// @param startedAt time of the handler call; empty if the job knows of none
  /// @param error error of the attempt; empty without one. Attempts of long ago have no stack trace
  /// @param abandoned whether the attempt's code may have continued to run
  /// @param late report that arrived after the attempt's end and was refused; empty if none
  public record Attempt(
      int attempt,
      String worker,
      @JsonFormat(shape = Shape.STRING) Instant claimedAt,
      @JsonFormat(shape = Shape.STRING) Optional<Instant> startedAt,
      @JsonFormat(shape = Shape.STRING) Instant endedAt,
      AttemptOutcome outcome,
      Optional<JobError> error,
      boolean abandoned,
      Optional<String> late) {}

  /// Outcome of an attempt.
  public enum AttemptOutcome {
    SUCCEEDED,
    /// Handler threw an exception.
    FAILED,
    /// Attempt exceeded the job's timeout.
    TIMED_OUT,
    /// Attempt was silent for longer than the job's heartbeat timeout.
    HEARTBEAT_LOST,
    /// Worker disappeared.
    WORKER_LOST,
    /// Engine was closed, and the handler returned in time.
    SHUTDOWN,
    /// Handler was never called.
    NEVER_STARTED,
    /// Handler postponed the job ([JobContext#later]).
    LATER,
    CANCELLED;

    /// User-visible name, such as `timed-out`.
    @JsonValue
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// @throws IllegalArgumentException if the outcome does not exist
    @JsonCreator
    public static AttemptOutcome parse(String label) {
      return Arrays.stream(values())
          .filter(outcome -> outcome.label().equals(label))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "outcome \"%s\" of an attempt does not exist".formatted(label)));
    }
  }

  /// Cancel request of a job, with its result as far as known.
  ///
  /// @param abandoned whether code of the job may still have run when the job was cancelled
  /// @param discarded whether a result arrived after the request and was discarded
  public record Cancel(
      String reason,
      String by,
      @JsonFormat(shape = Shape.STRING) Instant requestedAt,
      boolean abandoned,
      boolean discarded) {}

  /// One entry of a job's history.
  ///
  /// @param what name of the event: `submitted`, `claimed`, `started`, `stop-requested`,
  ///   `cancel-requested`, `reopened`, `failed`, `cancelled`, or the outcome of an attempt
  /// @param attempt number of the attempt; empty for an event of the whole job
  /// @param by caller who reopened the job; empty for other events
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record HistoryEntry(
      @JsonFormat(shape = Shape.STRING) Instant at,
      String what,
      OptionalInt attempt,
      Optional<String> by) {}

  /// Progress of an attempt, as its handler reported it.
  ///
  /// @param fraction completed part, 0 to 1
  public record Progress(double fraction, String message) {}
}
