package dev.handoff.internal.engine;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.JobId;
import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.PartitionNotice;
import dev.handoff.internal.job.SubmitReplies;
import dev.handoff.internal.job.SubmitReply;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.ledger.LedgerNotice;
import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.internal.plan.Plan;
import dev.handoff.internal.plan.PlanDraft;
import dev.handoff.internal.plan.PlanEnvelope;
import dev.handoff.internal.plan.PlanHead;
import dev.handoff.internal.plan.PlanNotice;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.KeyHolder;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// One partition of all jobs and plans: messages and creation. The actor is [PartitionActor].
public final class Partition {

  /// Protocol of a partition.
  public sealed interface Command {}

  /// Messages from callers and gateway. They wait during recovery.
  public sealed interface FromOutside extends Command, WireMessage {}

  /// Message about jobs.
  sealed interface ForJobs extends Command {}

  /// New job. Answered when it is durable.
  public record Submit(JobId id, JobSpec spec, ActorRef<SubmitReply> replyTo)
      implements FromOutside, ForJobs {}

  /// Batch of new jobs. Answered in its order, when each job is durable or refused.
  public record SubmitBatch(List<NewJob> jobs, ActorRef<SubmitReplies> replyTo)
      implements FromOutside, ForJobs {
    public SubmitBatch {
      jobs = List.copyOf(jobs);
    }
  }

  public record NewJob(JobId id, JobSpec spec) {}

  /// The ledger answered an append of one part of a batch.
  record BatchWritten(BatchReplies batch, List<NewJob> part, Ledger.Reply reply)
      implements ForJobs, NoSerializationVerificationNeeded {}

  /// A job replied about a batch member.
  record MemberAnswered(BatchReplies batch, JobId member, SubmitReply reply)
      implements ForJobs, NoSerializationVerificationNeeded {}

  /// Message for a live or ended job of this partition.
  public record Deliver(JobEnvelope message) implements FromOutside, ForJobs {}

  /// Message about plans.
  sealed interface ForPlans extends Command {}

  /// New plan. Answered when the plan and all its steps are durable.
  public record SubmitPlan(PlanId id, PlanDraft draft, ActorRef<PlanReply> replyTo)
      implements FromOutside, ForPlans {}

  /// Message for a live or ended plan of this partition.
  public record DeliverPlan(PlanEnvelope message) implements FromOutside, ForPlans {}

  /// Lists live jobs. Answered with a [Listing].
  public record ListLive(JobQuery query, ActorRef<Listing> replyTo) implements FromOutside {}

  /// Lists live plans. Answered with a [Listing].
  public record ListPlans(PlanQuery query, ActorRef<Listing> replyTo) implements FromOutside {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "listing")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = LiveJobs.class, name = "live-jobs"),
    @JsonSubTypes.Type(value = LivePlans.class, name = "live-plans"),
    @JsonSubTypes.Type(value = NotListed.class, name = "not-listed")
  })
  public sealed interface Listing extends WireMessage {}

  /// Live jobs, newest first.
  public record LiveJobs(int partition, List<JobState> jobs) implements Listing {
    public LiveJobs {
      jobs = List.copyOf(jobs);
    }
  }

  /// Live plans, newest first.
  public record LivePlans(int partition, List<PlanHead> plans) implements Listing {
    public LivePlans {
      plans = List.copyOf(plans);
    }
  }

  /// The partition is in recovery; retry later.
  public record NotListed(int partition, String reason, Duration retryAfter) implements Listing {}

  record LedgerSays(LedgerNotice notice) implements Command, NoSerializationVerificationNeeded {}

  record JobSays(PartitionNotice notice) implements ForJobs, NoSerializationVerificationNeeded {}

  record KeysFound(@Nullable Map<String, KeyHolder> holders, @Nullable Throwable failure)
      implements ForJobs, NoSerializationVerificationNeeded {}

  record HolderFound(@Nullable Optional<HistoryRow> row, @Nullable Throwable failure)
      implements ForJobs, NoSerializationVerificationNeeded {}

  record RowFound(JobId job, @Nullable Optional<HistoryRow> row, @Nullable Throwable failure)
      implements ForJobs, NoSerializationVerificationNeeded {}

  /// Queries the ledger for the state of a job that has no actor.
  ///
  /// @param failed actor that the job lost; null if it had none
  record AskLedger(JobId job, @Nullable ActorRef<Job.Command> failed)
      implements ForJobs, NoSerializationVerificationNeeded {}

  record StateFound(AskLedger asked, Ledger.Reply reply)
      implements ForJobs, NoSerializationVerificationNeeded {}

  record PlanSays(PlanNotice notice) implements ForPlans, NoSerializationVerificationNeeded {}

  record PlanRowFound(PlanId plan, @Nullable Optional<HistoryRow> row, @Nullable Throwable failure)
      implements ForPlans, NoSerializationVerificationNeeded {}

  /// Queries the ledger for the state of a plan that has no actor.
  ///
  /// @param failed actor that the plan lost; null if it had none
  record AskForPlan(PlanId plan, @Nullable ActorRef<Plan.Command> failed)
      implements ForPlans, NoSerializationVerificationNeeded {}

  /// The ledger has answered with the plan's state.
  record PlanStateFound(AskForPlan asked, Ledger.Reply reply)
      implements ForPlans, NoSerializationVerificationNeeded {}

  enum PartGone implements Command, NoSerializationVerificationNeeded {
    INSTANCE
  }

  record ToPartition(AskLedger asked, ActorRef<Command> partition) implements Ledger.Sender {
    @Override
    public void tell(Ledger.Reply reply) {
      partition.tell(new StateFound(asked, reply));
    }
  }

  static Behavior<Command> create(int number, PartitionEnvironment environment) {
    return FatalErrorGuard.setup(
        Command.class,
        context -> {
          context.setLoggerName(Partition.class);
          return Behaviors.withStash(
              PartitionEnvironment.STASH,
              stash -> new PartitionActor(context, number, environment, stash));
        });
  }

  private Partition() {}
}
