package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import dev.handoff.json.JobJson;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    Optional<JobProgress> progress,
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
    Optional<CancelInfo> cancel,
    List<AttemptInfo> attempts,
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
}
