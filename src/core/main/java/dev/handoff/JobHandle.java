package dev.handoff;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.internal.ask.AnswerStage;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;

/// Handle of an accepted job. A handle holds only the job's id, so handles are cheap to keep, drop
/// and recreate.
public final class JobHandle {

  private final JobId id;
  private final Handoff handoff;

  JobHandle(JobId id, Handoff handoff) {
    this.id = id;
    this.handoff = handoff;
  }

  /// Id of the job; also the JSON form of the handle.
  @JsonValue
  public JobId id() {
    return id;
  }

  /// Current snapshot of the job.
  ///
  /// The stage fails with [JobNotFoundException] if history no longer has the job, and with
  /// [JobNotKeptException] if the job is missing and `handoff.history` drops jobs.
  public CompletionStage<JobInfo> status() {
    return AnswerStage.of(handoff.jobCalls().status(id));
  }

  /// Outcome of the job. The stage completes when the job has ended, however long that takes. A
  /// failed or cancelled job is an outcome, not an exception.
  public CompletionStage<Outcome> result() {
    return handoff.jobCalls().result(id);
  }

  /// Final snapshot of the job. The stage completes when the job has ended.
  public CompletionStage<JobInfo> ended() {
    return handoff.jobCalls().ended(id);
  }

  /// Cancels the job. Idempotent.
  public CancelHandle cancel(String reason) {
    return handoff.cancel(id, reason);
  }

  /// Events of this job, from the moment when the stream is run until the job's end. The last event
  /// is always delivered, even if the job ended before. The stream completes early if the engine
  /// ends.
  public Source<JobEvent, NotUsed> events() {
    return handoff.events(this);
  }

  @Override
  public String toString() {
    return id.value();
  }
}
