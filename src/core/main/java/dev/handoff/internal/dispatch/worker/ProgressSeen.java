package dev.handoff.internal.dispatch.worker;

import dev.handoff.JobId;
import dev.handoff.internal.job.Progress;
import dev.handoff.internal.ledger.WireMessage;

/// Progress of an attempt for the live events; may be lost.
public record ProgressSeen(JobId job, int attempt, String type, String queue, Progress progress)
    implements WireMessage {}
