package dev.handoff.internal.facade;

import dev.handoff.CancelHandle;
import dev.handoff.JobEvent;
import dev.handoff.JobHandle;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.Outcome;
import dev.handoff.internal.ask.AnswerStage;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;

/// Handle of a job of a running engine.
record EngineJobHandle(JobId id, JobCalls calls) implements JobHandle {

  @Override
  public CompletionStage<JobInfo> status() {
    return AnswerStage.of(calls.status(id));
  }

  @Override
  public CompletionStage<Outcome> result() {
    return calls.result(id);
  }

  @Override
  public CompletionStage<JobInfo> ended() {
    return calls.ended(id);
  }

  @Override
  public CancelHandle cancel(String reason) {
    Objects.requireNonNull(reason, "reason");
    return calls.cancel(id, reason, "api");
  }

  @Override
  public Source<JobEvent, NotUsed> events() {
    return new EventStream(calls).of(id);
  }

  @Override
  public String toString() {
    return id.value();
  }
}
