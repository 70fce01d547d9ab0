package dev.handoff;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;

/// Handle of an accepted job. A handle holds only the job's id, so handles are cheap to keep, drop
/// and recreate.
public interface JobHandle {

  /// Id of the job; also the JSON form of the handle.
  @JsonValue
  JobId id();

  /// Current snapshot of the job.
  ///
  /// The stage fails with [JobNotFoundException] if history no longer has the job, and with
  /// [JobNotKeptException] if the job is missing and `handoff.history` drops jobs.
  CompletionStage<JobInfo> status();

  /// Outcome of the job. The stage completes when the job has ended, however long that takes. A
  /// failed or cancelled job is an outcome, not an exception. The stage fails as that of [#status].
  CompletionStage<Outcome> result();

  /// Final snapshot of the job. The stage completes when the job has ended, and fails as that of
  /// [#status].
  CompletionStage<JobInfo> ended();

  /// Cancels the job. Idempotent.
  CancelHandle cancel(String reason);

  /// Events of this job, from the moment when the stream is run until the job's end. The last event
  /// is always delivered, even if the job ended before. The stream completes early if the engine
  /// ends.
  Source<JobEvent, NotUsed> events();
}
