package dev.handoff.engine;

import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.job.Archived;
import dev.handoff.job.ForJob;
import dev.handoff.job.JobId;
import dev.handoff.job.JobSpec;
import dev.handoff.job.SubmitReplies;
import dev.handoff.ledger.Ulid;
import dev.handoff.ledger.WireMessage;
import dev.handoff.plan.ForPlan;
import dev.handoff.plan.Plan;
import dev.handoff.plan.PlanDraft;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanReply;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Sends each message to the partition that its id names, and deals new plans to the partitions in
/// turn. A batch names its partition. A single new job does not come here: its caller sends it.
public final class Gateway {

  /// Messages accepted by a gateway.
  public sealed interface Command {}

  /// New jobs for one partition, which is that of their keys, in one append where that is possible.
  /// Each of them is accepted or refused on its own.
  public record SubmitBatch(int partition, List<JobSpec> specs, ActorRef<SubmitReplies> replyTo)
      implements Command, WireMessage {
    public SubmitBatch {
      specs = List.copyOf(specs);
    }
  }

  /// A message for a job.
  public record Route(ForJob message) implements Command, WireMessage {}

  /// A new plan, checked against [dev.handoff.plan.PlanRules]. It gets its id here.
  public record SubmitPlan(PlanDraft draft, ActorRef<PlanReply> replyTo)
      implements Command, WireMessage {}

  /// A message for a plan.
  public record RoutePlan(ForPlan message) implements Command, WireMessage {}

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

  private void route(ForJob message) {
    int partition = message.job().partition();
    if (partition < partitions.size()) {
      partitions.get(partition).tell(new Partition.Deliver(message));
    } else {
      Archived.notFound(message.command(), message.job());
    }
  }

  private void submit(PlanDraft draft, ActorRef<PlanReply> replyTo) {
    int partition = nextPartition();
    var id = new PlanId(ids.next(clock.millis(), partition));
    partitions.get(partition).tell(new Partition.SubmitPlan(id, draft, replyTo));
  }

  private void route(ForPlan message) {
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
