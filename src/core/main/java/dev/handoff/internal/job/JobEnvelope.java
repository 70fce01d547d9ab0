package dev.handoff.internal.job;

import dev.handoff.JobId;
import dev.handoff.internal.ledger.WireMessage;

/// Envelope of a message for a live or ended job, routed by the partition in the job's id.
public record JobEnvelope(JobId job, Job.Command command) implements WireMessage {}
