package dev.handoff.job;

import dev.handoff.ledger.WireMessage;

/// A message for a job, wherever it is: live in some partition, or in history. Routed by the
/// partition in the id.
public record ForJob(JobId job, Job.Command command) implements WireMessage {}
