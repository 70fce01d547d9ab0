package dev.handoff.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobStatus;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.job.SubmitReplies;
import dev.handoff.internal.job.SubmitReply;
import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.internal.plan.Plan;
import dev.handoff.internal.plan.PlanDraft;
import dev.handoff.internal.plan.PlanEnvelope;
import dev.handoff.internal.plan.PlanHead;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.TestActors;
import dev.handoff.testing.WireChecks;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A message between gateway and partition")
class EngineWireTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final PlanDraft PLAN =
      new PlanDraft(
          "site",
          5,
          true,
          Duration.ofMinutes(1),
          List.of(
              PlanDraft.Step.job("page", List.of(), JobSamples.spec()),
              PlanDraft.Step.plan(
                  "index",
                  List.of("page"),
                  new PlanDraft(
                      "index",
                      1,
                      false,
                      null,
                      List.of(PlanDraft.Step.job("write", List.of(), JobSamples.spec()))))));

  private final ActorRef<SubmitReply> submitter = actors.probe(SubmitReply.class).ref();
  private final ActorRef<SubmitReplies> batcher = actors.probe(SubmitReplies.class).ref();
  private final ActorRef<StateReply> asker = actors.probe(StateReply.class).ref();
  private final ActorRef<PlanReply> planner = actors.probe(PlanReply.class).ref();
  private final ActorRef<Partition.Listing> lister = actors.probe(Partition.Listing.class).ref();

  private List<WireMessage> messages() {
    var spec = JobSamples.withKey("k", 1);
    var forJob = new JobEnvelope(JobSamples.newId(3), new Job.Get(asker));
    var forPlan = new PlanEnvelope(new PlanId(JobSamples.newId(2).value()), new Plan.Get(planner));
    var query =
        new JobQuery(JobStatus.QUEUED, "q", "t", "p", "a=b", JobSamples.newId(0).value(), 10);
    return List.of(
        new Gateway.SubmitBatch(1, List.of(spec, spec), batcher),
        new Gateway.Route(forJob),
        new Gateway.SubmitPlan(PLAN, planner),
        new Gateway.RoutePlan(forPlan),
        new Partition.Submit(JobSamples.newId(1), spec, submitter),
        new Partition.SubmitBatch(
            List.of(new Partition.NewJob(JobSamples.newId(1), spec)), batcher),
        new SubmitReplies(List.of(new SubmitReply.Refused("too large"))),
        new Partition.Deliver(forJob),
        new Partition.SubmitPlan(forPlan.plan(), PLAN, planner),
        new Partition.DeliverPlan(forPlan),
        new Partition.ListLive(query, lister),
        query,
        new Partition.LiveJobs(2, List.of(JobSamples.state(spec))),
        new Partition.ListPlans(new PlanQuery(JobSamples.newId(0).value(), 10), lister),
        new PlanQuery(null, 10),
        new Partition.LivePlans(
            2,
            List.of(
                new PlanHead(
                    new PlanId(JobSamples.newId(1).value()),
                    "site",
                    PlanStatus.RUNNING,
                    3,
                    1,
                    7,
                    JobSamples.NOW,
                    null))),
        new Partition.NotListed(2, "later", Duration.ofMillis(1_500)));
  }

  @Test
  void arrivesAsItWasSent() {
    WireChecks.assertArrive(actors, messages());
  }

  @Test
  void isWrittenByJackson() {
    WireChecks.assertWrittenByJackson(actors, messages());
  }

  @Test
  void isTriedInEveryKind() {
    var tried = messages().stream().<Class<?>>map(Object::getClass).toList();

    assertThat(tried)
        .containsAll(
            WireChecks.kinds(
                Gateway.Command.class, Partition.Command.class, Partition.Listing.class));
  }
}
