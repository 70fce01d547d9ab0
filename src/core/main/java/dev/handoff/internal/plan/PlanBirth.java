package dev.handoff.internal.plan;

import dev.handoff.EntityId;
import dev.handoff.JobId;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.ledger.Fact;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.StoredEvent;
import dev.handoff.internal.text.Ulid;
import dev.handoff.plan.PlanId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Submission of a plan with its steps and child plans: assigns all ids, and collects all facts for
/// one append.
final class PlanBirth {

  private final Ulid ids;
  private final Instant now;
  private final int partition;
  private final List<Born> born = new ArrayList<>();

  private record Born(EntityId id, StoredEvent fact) {}

  private PlanBirth(Instant now, int partition, RandomGenerator random) {
    this.ids = new Ulid(random);
    this.now = now;
    this.partition = partition;
  }

  static PlanBirth of(PlanId id, PlanDraft draft, Instant now, RandomGenerator random) {
    var birth = new PlanBirth(now, id.partition(), random);
    birth.plan(id, draft, null, id);
    return birth;
  }

  /// First fact of the plan itself.
  PlanFact.Submitted own() {
    return (PlanFact.Submitted) born.getFirst().fact();
  }

  /// @throws IllegalArgumentException if a part of the plan cannot be encoded
  List<Fact> facts(FactCodec codec) {
    return born.stream().map(one -> codec.encode(one.id(), one.fact())).toList();
  }

  /// Adds a plan. Its fact precedes the facts of its steps.
  private void plan(PlanId id, PlanDraft draft, PlanSpec.@Nullable Origin origin, PlanId root) {
    int place = born.size();
    var steps = new ArrayList<PlanSpec.Step>();
    for (var step : draft.steps()) {
      if (step.job() != null) {
        var job = new JobId(next());
        var spec = step.job().stepOf(id.value(), step.name());
        born.add(new Born(job, new JobFact.Submitted(spec, now, true)));
        steps.add(new PlanSpec.Step(step.name(), step.after(), job, null, spec.type()));
      } else {
        var child = new PlanId(next());
        var path = origin == null ? step.name() : origin.path() + "/" + step.name();
        plan(child, step.plan(), new PlanSpec.Origin(id, step.name(), root, path), root);
        steps.add(new PlanSpec.Step(step.name(), step.after(), null, child, null));
      }
    }
    var spec =
        new PlanSpec(
            draft.name(), draft.maxParallel(), draft.failFast(), draft.deadline(), steps, origin);
    born.add(place, new Born(id, new PlanFact.Submitted(spec, now, origin != null)));
  }

  private String next() {
    return ids.next(now.toEpochMilli(), partition);
  }
}
