package dev.handoff.internal.dispatch;

import dev.handoff.JobId;
import dev.handoff.internal.dispatch.ready.ReadyJobs;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobNotice;
import dev.handoff.internal.job.PartitionNotice;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.job.WorkerCredit;
import dev.handoff.internal.job.WorkerOrder;
import dev.handoff.internal.text.Ulid;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;

/// Collaborators of a dispatcher without its actor; all recipients of messages are inboxes.
public final class LoneDispatcher {

  public static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  public static final String FREE = "free";
  static final String NARROW = "narrow";
  static final long ERA = 7;

  final TestInbox<Dispatcher.Command> self = TestInbox.create();
  final TestInbox<Queues.Command> queues = TestInbox.create();
  final TestInbox<PartitionNotice> partition = TestInbox.create();
  final TestInbox<ReportReply> losses = TestInbox.create();
  final TestInbox<StateReply> states = TestInbox.create();
  final TestInbox<WorkerOrder> workers = TestInbox.create();
  final List<JobNotice.Ready> entered = new ArrayList<>();
  final List<DispatchedAttempt> resumed = new ArrayList<>();
  final JobSender toJobs = new JobSender(partition.getRef(), losses.getRef(), states.getRef());
  final QueueLimits limits =
      new QueueLimits(0, self.getRef(), queues.getRef(), () -> {}, this::resume);
  final ReadyJobs ready = new ReadyJobs(queue -> 1, limits::gate);
  final PoolRegistry pools = new PoolRegistry(ready);
  final DispatchedAttempts attempts = new DispatchedAttempts(pools, limits, toJobs, entered::add);
  final OpenOffers offers = new OpenOffers(ready, pools, limits, () -> this.mayClaim, entered::add);
  final Map<PoolId, TestInbox<WorkerPool.Command>> poolInboxes = new HashMap<>();
  final Map<JobId, TestInbox<Job.Command>> jobInboxes = new HashMap<>();
  boolean mayClaim = true;

  private void resume(DispatchedAttempt attempt) {
    resumed.add(attempt);
    attempts.goOn(attempt);
  }

  public static JobId id(int number) {
    return new JobId(new Ulid(new Random(number)).next(NOW.toEpochMilli() + number, 0));
  }

  public static PoolId pool(int number) {
    return new PoolId("pool-" + number);
  }

  /// Registers a pool that runs jobs of type `t` and lends one worker.
  PoolLink register(int number) {
    var inbox = TestInbox.<WorkerPool.Command>create();
    poolInboxes.put(pool(number), inbox);
    pools.register(
        new PoolMessage.Register(pool(number), Set.of("t"), 4, 1, false, inbox.getRef()));
    return pools.get(pool(number));
  }

  /// Limits the narrow queue to one job, with this number of slots in use.
  void limit(int using) {
    limits.apply(
        new Dispatcher.Rules(1, Map.of(NARROW, new QueueRule(false, 1)), Map.of(NARROW, ERA)),
        (queue, era) -> using);
  }

  void grant(long granted) {
    limits.grant(new Dispatcher.Slots(NARROW, ERA, granted));
    ready.refresh(NARROW);
  }

  /// Number of returned slots.
  long returned() {
    limits.touchAll();
    limits.gate(NARROW).repeat();
    limits.tell(queue -> 0, Stream.empty());
    var all = queues.getAllReceived();
    return ((Queues.SlotsHeld)
            all.stream().filter(Queues.SlotsHeld.class::isInstance).toList().getLast())
        .returned();
  }

  WorkerCredit credit(int pool, long number) {
    return new WorkerCredit(pool(pool), number, "worker-" + number, workers.getRef());
  }

  public ActorRef<Job.Command> ref(int job) {
    return jobInboxes.computeIfAbsent(id(job), id -> TestInbox.create()).getRef();
  }

  List<Job.Command> toldJob(int job) {
    ref(job);
    return jobInboxes.get(id(job)).getAllReceived();
  }

  List<WorkerPool.Command> toldPool(int pool) {
    return poolInboxes.get(pool(pool)).getAllReceived();
  }

  JobNotice.Ready job(int number, String queue) {
    return new JobNotice.Ready(id(number), "t", queue, 0, NOW, ref(number));
  }

  void enter(JobNotice.Ready job) {
    ready.add(job, NOW);
  }

  DispatchedAttempt handed(int job, int attempt, String queue, WorkerCredit credit) {
    return DispatchedAttempt.taken(
        new JobNotice.Taken(id(job), attempt, queue, credit, ref(job)), null);
  }

  /// Messages that jobs received by way of their partition, abbreviated.
  List<String> toldByPartition() {
    return partition.getAllReceived().stream().map(LoneDispatcher::shown).toList();
  }

  static String loss(int job, int attempt) {
    return "lost " + id(job) + " " + attempt;
  }

  static String question(int job) {
    return "asked " + id(job);
  }

  static String claim(int job, long credit) {
    return "offered " + id(job) + " " + credit;
  }

  private static String shown(PartitionNotice notice) {
    var message = ((PartitionNotice.Forward) notice).message();
    return switch (message.command()) {
      case Job.UpdateAttempt(JobCommand.LoseWorker(int attempt), var replyTo) ->
          "lost " + message.job() + " " + attempt;
      case Job.Get question -> "asked " + message.job();
      case Job.Claim(var credit) -> "offered " + message.job() + " " + credit.number();
      case Job.Command other -> other.toString();
    };
  }
}
