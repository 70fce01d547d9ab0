package dev.handoff.internal.engine;

import dev.handoff.JobStatus;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.WireMessage;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Filter of a list of jobs. A null field does not restrict.
///
/// @param label `name=value`
/// @param before only ids lower than this one
public record JobQuery(
    @Nullable JobStatus status,
    @Nullable String queue,
    @Nullable String type,
    @Nullable String plan,
    @Nullable String label,
    @Nullable String before,
    int limit)
    implements WireMessage {

  /// Whether a job matches at a given time.
  public boolean matches(JobState job, Instant now) {
    var spec = job.spec();
    return (before == null || job.id().value().compareTo(before) < 0)
        && (status == null || job.status(now) == status)
        && (queue == null || spec.queue().equals(queue))
        && (type == null || spec.type().equals(type))
        && (plan == null || spec.origin() != null && plan.equals(spec.origin().plan()))
        && (label == null || hasLabel(spec.options().labels()));
  }

  private boolean hasLabel(Map<String, String> labels) {
    int at = label.indexOf('=');
    return at > 0 && label.substring(at + 1).equals(labels.get(label.substring(0, at)));
  }
}
