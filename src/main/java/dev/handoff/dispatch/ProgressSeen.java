package dev.handoff.dispatch;

import dev.handoff.job.JobId;
import dev.handoff.job.Progress;
import dev.handoff.ledger.WireMessage;

/// An attempt's progress on its way to the live events: may be lost.
public record ProgressSeen(JobId job, int attempt, String type, String queue, Progress progress)
    implements WireMessage {}
