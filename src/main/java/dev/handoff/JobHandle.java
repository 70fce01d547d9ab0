package dev.handoff;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.ask.AnswerStage;
import dev.handoff.job.JobId;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;

/// A job that was accepted. Holds nothing but its id: cheap to keep, to lose and to make again.
public final class JobHandle {

  private final JobId id;
  private final Handoff handoff;

  JobHandle(JobId id, Handoff handoff) {
    this.id = id;
    this.handoff = handoff;
  }

  /// What a handle is in JSON, too.
  @JsonValue
  public JobId id() {
    return id;
  }

  /// The job as it is now.
  ///
  /// Fails with [JobNotFoundException] if history has forgotten it, and with [JobNotKeptException]
  /// where `handoff.history` drops jobs and it is not there.
  public CompletionStage<JobInfo> status() {
    return AnswerStage.of(handoff.jobCalls().status(id));
  }

  /// Completes when the job has ended, however long that takes, with how it ended: never
  /// exceptionally for the job's own end.
  public CompletionStage<Outcome> result() {
    return handoff.jobCalls().result(id);
  }

  /// Completes when the job has ended, with all there is to know of it then.
  public CompletionStage<JobInfo> ended() {
    return handoff.jobCalls().ended(id);
  }

  /// Ends the job. Idempotent.
  public Cancelling cancel(String reason) {
    return handoff.cancel(id, reason);
  }

  /// What happens to this job from when the stream is run, up to its end: the last event is told in
  /// any case, also if the job has ended before. Completes early if the engine ends.
  public Source<JobEvent, NotUsed> events() {
    return handoff.events(this);
  }

  @Override
  public String toString() {
    return id.value();
  }
}
