package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.cancel.Cancellation;
import dev.handoff.ledger.WireMessage;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// What a job sends to the worker of its attempt.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "order")
@JsonSubTypes({
  @JsonSubTypes.Type(value = WorkerOrder.Run.class, name = "run"),
  @JsonSubTypes.Type(value = WorkerOrder.Stop.class, name = "stop")
})
public sealed interface WorkerOrder extends WireMessage {

  JobId job();

  int attempt();

  long credit();

  /// Run this attempt. Repeated until the worker says that it started; starts only while the credit
  /// is open.
  ///
  /// @param checkpoint what an earlier attempt kept; null = nothing
  /// @param reportTo where reports of the attempt go
  record Run(
      long credit,
      JobId job,
      int attempt,
      JobSpec spec,
      @Nullable Json checkpoint,
      ActorRef<Job.Command> reportTo)
      implements WorkerOrder {}

  /// Stop the attempt of this credit. Repeated until the attempt's end is reported. Overtakes its
  /// `Run`: the credit is then closed, and the report is that it never started.
  ///
  /// @param elapsed how long ago the stop was decided
  record Stop(
      long credit,
      JobId job,
      int attempt,
      Cancellation why,
      Duration elapsed,
      ActorRef<Job.Command> reportTo)
      implements WorkerOrder {}
}
