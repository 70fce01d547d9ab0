package dev.handoff.internal.engine;

import dev.handoff.JobId;
import dev.handoff.internal.dispatch.QueueFact;
import dev.handoff.internal.dispatch.QueuesState;
import dev.handoff.internal.job.FastForms;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.LiveStates;
import dev.handoff.internal.ledger.StoredEvent;
import dev.handoff.internal.plan.PlanFact;
import dev.handoff.internal.plan.PlanFolding;
import dev.handoff.internal.plan.PlanState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Registry of this engine's fact types, with their fold into live states.
public final class FactFolding {

  private FactFolding() {}

  public static FactCodec codec() {
    return new FactCodec(
        List.of(
            JobFact.class,
            JobState.class,
            PlanFact.class,
            PlanState.class,
            QueueFact.class,
            QueuesState.class),
        FastForms.INSTANCE);
  }

  public static List<EntityState> fold(LiveStates live, String entity, StoredEvent event) {
    return switch (event) {
      case JobFact fact -> foldJob(live, entity, fact);
      case PlanFact fact -> PlanFolding.fold(live, entity, fact);
      case QueueFact fact -> List.of(live.put(queues(live).apply(fact)));
      default ->
          throw new IllegalStateException(
              "a fact of an unknown kind: " + event.getClass().getName());
    };
  }

  /// A fact of a step changes two states: the job's and its plan's.
  private static List<EntityState> foldJob(LiveStates live, String entity, JobFact fact) {
    var after = after((JobState) live.get(entity), entity, fact);
    if (after == null) {
      return List.of();
    }
    live.put(after);
    if (!after.spec().isStep()) {
      return List.of(after);
    }
    var states = new ArrayList<EntityState>();
    states.add(after);
    states.addAll(PlanFolding.foldStep(live, after, fact));
    return states;
  }

  private static @Nullable JobState after(@Nullable JobState before, String entity, JobFact fact) {
    return switch (fact) {
      case JobFact.Submitted submitted when before == null ->
          JobState.create(new JobId(entity), submitted);
      case JobFact.Reopened reopened -> reopened.state().apply(reopened);
      case JobFact other -> before == null ? null : before.apply(other);
    };
  }

  private static QueuesState queues(LiveStates live) {
    var state = live.get(QueuesState.ID.value());
    return state == null ? QueuesState.NONE : (QueuesState) state;
  }
}
