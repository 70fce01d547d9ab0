package dev.handoff.internal.engine;

import dev.handoff.JobId;
import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.job.EndedJobAnswers;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.SubmitReplies;
import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.internal.plan.Plan;
import dev.handoff.internal.plan.PlanDraft;
import dev.handoff.internal.plan.PlanEnvelope;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.text.Ulid;
import dev.handoff.plan.PlanId;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Routes each message to the partition in its id, and assigns new plans to partitions round-robin.
/// A batch names its partition. Callers send a single new job directly to its partition.
public final class Gateway {

  /// Protocol of a gateway.
  public sealed interface Command {}

  /// New jobs for one partition, that of their keys, in one append if possible. Each job is
  /// accepted or refused separately.
  public record SubmitBatch(int partition, List<JobSpec> specs, ActorRef<SubmitReplies> replyTo)
      implements Command, WireMessage {
    public SubmitBatch {
      specs = List.copyOf(specs);
    }
  }

  /// Message for a job.
  public record Route(JobEnvelope message) implements Command, WireMessage {}

  /// New plan, checked against [dev.handoff.internal.plan.PlanRules]. The gateway assigns its id.
  public record SubmitPlan(PlanDraft draft, ActorRef<PlanReply> replyTo)
      implements Command, WireMessage {}

  /// Message for a plan.
  public record RoutePlan(PlanEnvelope message) implements Command, WireMessage {}

  private final List<ActorRef<Partition.Command>> partitions;
  private final InstantSource clock;
  private final Ulid ids;
  private int turn;

  private Gateway(
      List<ActorRef<Partition.Command>> partitions, InstantSource clock, RandomGenerator random) {
    this.partitions = List.copyOf(partitions);
    this.clock = clock;
    this.ids = new Ulid(random);
  }

  static Behavior<Command> create(
      List<ActorRef<Partition.Command>> partitions, InstantSource clock, RandomGenerator random) {
    return FatalErrorGuard.setup(
        Command.class,
        context -> {
          var gateway = new Gateway(partitions, clock, random);
          return Behaviors.receiveMessage(
              message -> {
                gateway.onMessage(message);
                return Behaviors.same();
              });
        });
  }

  private void onMessage(Command message) {
    switch (message) {
      case SubmitBatch(int partition, var specs, var replyTo) -> submit(partition, specs, replyTo);
      case Route(var forJob) -> route(forJob);
      case SubmitPlan(var draft, var replyTo) -> submit(draft, replyTo);
      case RoutePlan(var forPlan) -> route(forPlan);
    }
  }

  private void submit(int partition, List<JobSpec> specs, ActorRef<SubmitReplies> replyTo) {
    long now = clock.millis();
    var jobs =
        specs.stream()
            .map(spec -> new Partition.NewJob(new JobId(ids.next(now, partition)), spec))
            .toList();
    partitions.get(partition).tell(new Partition.SubmitBatch(jobs, replyTo));
  }

  private void route(JobEnvelope message) {
    int partition = message.job().partition();
    if (partition < partitions.size()) {
      partitions.get(partition).tell(new Partition.Deliver(message));
    } else {
      EndedJobAnswers.notFound(message.command(), message.job());
    }
  }

  private void submit(PlanDraft draft, ActorRef<PlanReply> replyTo) {
    int partition = nextPartition();
    var id = new PlanId(ids.next(clock.millis(), partition));
    partitions.get(partition).tell(new Partition.SubmitPlan(id, draft, replyTo));
  }

  private void route(PlanEnvelope message) {
    int partition = message.plan().partition();
    if (partition < partitions.size()) {
      partitions.get(partition).tell(new Partition.DeliverPlan(message));
    } else if (message.command() instanceof Plan.Asked asked) {
      asked.replyTo().tell(new PlanReply.NotFound(message.plan()));
    }
  }

  private int nextPartition() {
    turn = (turn + 1) % partitions.size();
    return turn;
  }
}
