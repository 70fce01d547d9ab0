package dev.handoff.internal.job;

import dev.handoff.JobId;
import dev.handoff.internal.ledger.WireMessage;
import java.util.Objects;

/// Envelope of a message for a live or ended job, routed by the partition in the job's id.
public record JobEnvelope(JobId job, Job.Command command) implements WireMessage {

  /// An address is checked at the sender: the failure of a gateway is the end of the engine.
  public JobEnvelope {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(command, "command");
  }
}
