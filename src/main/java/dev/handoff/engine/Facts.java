package dev.handoff.engine;

import dev.handoff.dispatch.QueueFact;
import dev.handoff.dispatch.QueuesState;
import dev.handoff.job.JobFact;
import dev.handoff.job.JobId;
import dev.handoff.job.JobState;
import dev.handoff.job.OrdinaryForms;
import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.LiveStates;
import dev.handoff.ledger.StoredEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All kinds of facts that a ledger of this engine can hold, and what they make of the live states.
public final class Facts {

  private Facts() {}

  public static FactCodec codec() {
    return new FactCodec(
        List.of(JobFact.class, JobState.class, QueueFact.class, QueuesState.class),
        OrdinaryForms.INSTANCE);
  }

  public static @Nullable EntityState fold(LiveStates live, String entity, StoredEvent event) {
    return switch (event) {
      case JobFact fact -> foldJob(live, entity, fact);
      case QueueFact fact -> live.put(queues(live).apply(fact));
      default ->
          throw new IllegalStateException(
              "a fact of an unknown kind: " + event.getClass().getName());
    };
  }

  private static @Nullable EntityState foldJob(LiveStates live, String entity, JobFact fact) {
    var before = (JobState) live.get(entity);
    return switch (fact) {
      case JobFact.Submitted submitted when before == null ->
          live.put(JobState.create(new JobId(entity), submitted));
      case JobFact.Reopened reopened -> live.put(reopened.state().apply(reopened));
      case JobFact other -> before == null ? null : live.put(before.apply(other));
    };
  }

  private static QueuesState queues(LiveStates live) {
    var state = live.get(QueuesState.ID.value());
    return state == null ? QueuesState.NONE : (QueuesState) state;
  }
}
