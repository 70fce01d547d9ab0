package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.ledger.WireMessage;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Order from a job to its attempt's worker.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "order")
@JsonSubTypes({
  @JsonSubTypes.Type(value = WorkerOrder.Run.class, name = "run"),
  @JsonSubTypes.Type(value = WorkerOrder.Stop.class, name = "stop")
})
public sealed interface WorkerOrder extends WireMessage {

  JobId job();

  int attempt();

  long credit();

  /// Runs this attempt. The job repeats the order until the worker reports the start; it starts
  /// only while the credit is open.
  ///
  /// @param checkpoint checkpoint of an earlier attempt; null = none
  /// @param reportTo receiver of the attempt's reports
  record Run(
      long credit,
      JobId job,
      int attempt,
      JobSpec spec,
      @Nullable Json checkpoint,
      ActorRef<Job.Command> reportTo)
      implements WorkerOrder {}

  /// Stops the attempt of this credit. The job repeats the order until the attempt's end is
  /// reported. A `Stop` that overtakes its `Run` closes the credit, and the worker reports
  /// `NeverStarted`.
  ///
  /// @param elapsed time since the stop was decided
  record Stop(
      long credit,
      JobId job,
      int attempt,
      Cancellation why,
      Duration elapsed,
      ActorRef<Job.Command> reportTo)
      implements WorkerOrder {}
}
