package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import dev.handoff.job.JobError;
import dev.handoff.job.JobId;
import dev.handoff.job.JobStatus;
import dev.handoff.job.Json;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A job as it was at one moment: plain values, and nothing behind them. The same names are those
/// of its JSON, which is written by [#toJson], the command line, and any ObjectMapper of Jackson.
///
/// @param key at most one job has it
/// @param attempt the number of the last attempt; 0 = it was never claimed
/// @param starts how many starts it has used since its submission, or since it was opened again
/// @param result what it has come to; empty unless it succeeded
/// @param error of a job that failed, and of the last attempt of one that is not over
/// @param cause why it failed; empty unless it did
/// @param progress the last that its attempt has said
/// @param worker that runs it now; empty unless an attempt is under way
/// @param node the id of the worker's pool
/// @param plan the plan that it is a step of
/// @param step its name in that plan
/// @param parent the job that has submitted it
/// @param timeout how long an attempt may take; empty = as long as it likes
/// @param heartbeatTimeout how long an attempt may be silent; empty = as long as it likes
/// @param runAt not before this time, as it was submitted
/// @param nextRunAt when it is due; empty unless it waits for its time or for a worker
/// @param startedAt when the handler of its last attempt was called
/// @param finishedAt when it ended; empty while it has not
/// @param cancel empty unless somebody asked for its end
/// @param attempts those that are over, oldest first; of very many, the first and the last ones
/// @param history what has happened to it, oldest first
/// @param log the last lines that its attempts have written
/// @param children the jobs that it has submitted
/// @param seenAt when it was looked at; the command line leaves it out
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

  /// JSON knows no difference between no result and a result that is null.
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
