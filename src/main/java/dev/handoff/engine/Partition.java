package dev.handoff.engine;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobId;
import dev.handoff.job.JobSpec;
import dev.handoff.job.JobState;
import dev.handoff.job.PartitionNotice;
import dev.handoff.job.SubmitReplies;
import dev.handoff.job.SubmitReply;
import dev.handoff.ledger.Ledger;
import dev.handoff.ledger.LedgerNotice;
import dev.handoff.ledger.WireMessage;
import dev.handoff.plan.ForPlan;
import dev.handoff.plan.Plan;
import dev.handoff.plan.PlanDraft;
import dev.handoff.plan.PlanHead;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanNotice;
import dev.handoff.plan.PlanReply;
import dev.handoff.store.HistoryRow;
import dev.handoff.store.KeyHolder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// One share of all jobs: what it can be sent, and how it is made. The actor itself is
/// [PartitionActor].
public final class Partition {

  /// Messages accepted by a partition.
  public sealed interface Command {}

  /// Messages from outside the partition: from callers and from the gateway. They wait while the
  /// partition is read back.
  public sealed interface FromOutside extends Command, WireMessage {}

  /// What is about jobs.
  sealed interface ForJobs extends Command {}

  /// A new job. Answered when it is durable.
  public record Submit(JobId id, JobSpec spec, ActorRef<SubmitReply> replyTo)
      implements FromOutside, ForJobs {}

  /// New jobs. Answered in their order, when all of them are durable or refused.
  public record SubmitBatch(List<NewJob> jobs, ActorRef<SubmitReplies> replyTo)
      implements FromOutside, ForJobs {
    public SubmitBatch {
      jobs = List.copyOf(jobs);
    }
  }

  public record NewJob(JobId id, JobSpec spec) {}

  /// The ledger has answered a part of a batch.
  record BatchWritten(BatchReplies batch, List<NewJob> part, Ledger.Reply reply)
      implements ForJobs, NoSerializationVerificationNeeded {}

  /// A job has replied about a member of a batch.
  record MemberAnswered(BatchReplies batch, JobId member, SubmitReply reply)
      implements ForJobs, NoSerializationVerificationNeeded {}

  /// A message for a job of this partition, live or not.
  public record Deliver(ForJob message) implements FromOutside, ForJobs {}

  /// What is about plans.
  sealed interface ForPlans extends Command {}

  /// A new plan. Answered when it is durable, with all of its steps.
  public record SubmitPlan(PlanId id, PlanDraft draft, ActorRef<PlanReply> replyTo)
      implements FromOutside, ForPlans {}

  /// A message for a plan of this partition, live or not.
  public record DeliverPlan(ForPlan message) implements FromOutside, ForPlans {}

  /// Some of the live jobs. Answered with a [Listing].
  public record ListLive(JobQuery query, ActorRef<Listing> replyTo) implements FromOutside {}

  /// Some of the live plans. Answered with a [Listing].
  public record ListPlans(PlanQuery query, ActorRef<Listing> replyTo) implements FromOutside {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "listing")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = LiveJobs.class, name = "live-jobs"),
    @JsonSubTypes.Type(value = LivePlans.class, name = "live-plans"),
    @JsonSubTypes.Type(value = NotListed.class, name = "not-listed")
  })
  public sealed interface Listing extends WireMessage {}

  /// Newest first.
  public record LiveJobs(int partition, List<JobState> jobs) implements Listing {
    public LiveJobs {
      jobs = List.copyOf(jobs);
    }
  }

  /// Newest first.
  public record LivePlans(int partition, List<PlanHead> plans) implements Listing {
    public LivePlans {
      plans = List.copyOf(plans);
    }
  }

  /// The partition is being read back: ask again later.
  public record NotListed(int partition, String reason, Duration retryAfter) implements Listing {}

  record LedgerSays(LedgerNotice notice) implements Command, NoSerializationVerificationNeeded {}

  record JobSays(PartitionNotice notice) implements ForJobs, NoSerializationVerificationNeeded {}

  record KeysFound(@Nullable Map<String, KeyHolder> holders, @Nullable Throwable failure)
      implements ForJobs, NoSerializationVerificationNeeded {}

  record HolderFound(@Nullable Optional<HistoryRow> row, @Nullable Throwable failure)
      implements ForJobs, NoSerializationVerificationNeeded {}

  record RowFound(JobId job, @Nullable Optional<HistoryRow> row, @Nullable Throwable failure)
      implements ForJobs, NoSerializationVerificationNeeded {}

  /// Asks the ledger for the state of a job that has lost its actor, or never had one.
  ///
  /// @param failed the actor that it has lost; null if it had none
  record AskLedger(JobId job, @Nullable ActorRef<Job.Command> failed)
      implements ForJobs, NoSerializationVerificationNeeded {}

  record StateFound(AskLedger asked, Ledger.Reply reply)
      implements ForJobs, NoSerializationVerificationNeeded {}

  record PlanSays(PlanNotice notice) implements ForPlans, NoSerializationVerificationNeeded {}

  record PlanRowFound(PlanId plan, @Nullable Optional<HistoryRow> row, @Nullable Throwable failure)
      implements ForPlans, NoSerializationVerificationNeeded {}

  /// Asks the ledger for the state of a plan that has lost its actor, or never had one.
  ///
  /// @param failed the actor that it has lost; null if it had none
  record AskForPlan(PlanId plan, @Nullable ActorRef<Plan.Command> failed)
      implements ForPlans, NoSerializationVerificationNeeded {}

  /// The ledger has said how the plan stands.
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
        context -> {
          context.setLoggerName(Partition.class);
          return Behaviors.withStash(
              PartitionEnvironment.STASH,
              stash -> new PartitionActor(context, number, environment, stash));
        });
  }

  private Partition() {}
}
