package dev.handoff.internal.dispatch;

import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.internal.job.ClaimingWorker;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobNotice;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.PartitionNotice;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.job.WorkerCredit;
import dev.handoff.internal.job.WorkerOrder;
import dev.handoff.internal.text.Ulid;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HandClock;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/// Dispatcher between probes: the test sends and receives all messages of jobs, pools, queues and
/// the partition.
public final class DispatcherBench {

  public static final Duration HEARTBEAT = Duration.ofSeconds(2);
  public static final DispatchSettings SETTINGS =
      new DispatchSettings(
          4,
          4,
          HEARTBEAT,
          Duration.ofSeconds(10),
          Duration.ofSeconds(2),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30));

  final HandClock clock = new HandClock(Instant.parse("2026-03-01T12:00:00Z"));
  final TestProbe<PartitionNotice> partition;
  final TestProbe<Queues.Command> queues;
  private final TestActors actors;
  private final ActorRef<Dispatcher.Command> dispatcher;
  private final Ulid ids = new Ulid(new Random(1));

  DispatcherBench(TestActors actors) {
    this.actors = actors;
    partition = actors.probe(PartitionNotice.class);
    queues = actors.probe(Queues.Command.class);
    dispatcher =
        actors.spawn(
            Dispatcher.create(
                new Dispatcher.Environment(
                    1, SETTINGS, clock, queue -> 1, queues.ref(), partition.ref())));
  }

  /// Tells the dispatcher that no queue has rules.
  DispatcherBench withoutRules() {
    rules(0, Map.of(), Map.of());
    queues.expectMessageClass(Queues.Confirmed.class);
    return this;
  }

  void rules(long version, Map<String, QueueRule> rules, Map<String, Long> eras) {
    tell(new Dispatcher.Rules(version, rules, eras));
  }

  ActorRef<Dispatcher.Command> actor() {
    return dispatcher;
  }

  void tell(Dispatcher.Command message) {
    dispatcher.tell(message);
  }

  void tell(JobNotice notice) {
    Dispatcher.forJobs(dispatcher).tell(notice);
  }

  /// Advances the time by one heartbeat.
  void beat() {
    actors.pass(HEARTBEAT);
  }

  Dispatcher.Load load() {
    return BoundedWaits.get(
        AskPattern.<Dispatcher.Command, Dispatcher.Load>ask(
            dispatcher, Dispatcher.GetLoad::new, HEARTBEAT, actors.system().scheduler()));
  }

  Seat job(String type, String queue) {
    return job(type, queue, 0);
  }

  /// Job that sends no message by itself.
  Seat job(String type, String queue, int priority) {
    var id = new JobId(ids.next(clock.instant().toEpochMilli(), 1));
    return new Seat(id, type, queue, priority, actors.probe(Job.Command.class));
  }

  Pool pool(String name, int workers, String... types) {
    return new Pool(name, workers, 0, false, Set.of(types));
  }

  Pool remotePool(String name, int workers, String... types) {
    return new Pool(name, workers, 0, true, Set.of(types));
  }

  /// Pool that lends idle workers to a dispatcher in advance.
  Pool lendingPool(String name, int workers, int lends, String... types) {
    return new Pool(name, workers, lends, false, Set.of(types));
  }

  /// Id of the next job whose worker is reported as lost to the partition.
  JobId nextLost() {
    var forward = partition.expectMessageClass(PartitionNotice.Forward.class).message();
    return forward.command() instanceof Job.UpdateAttempt(JobCommand.LoseWorker loss, var replyTo)
        ? forward.job()
        : nextLost();
  }

  /// Answers the dispatcher's request for a job's state.
  void answersForJob(JobState state) {
    var forward = partition.expectMessageClass(PartitionNotice.Forward.class).message();
    ((Job.Get) forward.command()).replyTo().tell(new StateReply.Found(state));
  }

  /// Job as its dispatcher sees it.
  final class Seat {
    final JobId id;
    final TestProbe<Job.Command> probe;
    private final String type;
    private final String queue;
    private final int priority;

    private Seat(JobId id, String type, String queue, int priority, TestProbe<Job.Command> probe) {
      this.id = id;
      this.type = type;
      this.queue = queue;
      this.priority = priority;
      this.probe = probe;
    }

    /// State of the job after these facts.
    JobState after(JobFact... facts) {
      var spec =
          new JobSpec(type, Json.NULL, queue, priority, null, null, JobOptions.DEFAULT, null);
      var state = JobState.create(id, new JobFact.Submitted(spec, clock.instant(), false));
      for (var fact : facts) {
        state = state.apply(fact);
      }
      return state;
    }

    JobFact claims(WorkerCredit credit) {
      return new JobFact.Claimed(
          1, new ClaimingWorker(credit.pool(), credit.name()), clock.instant());
    }

    /// Same job with a restarted actor.
    Seat again() {
      return new Seat(id, type, queue, priority, actors.probe(Job.Command.class));
    }

    Seat ready() {
      return ready(Duration.ZERO);
    }

    Seat ready(Duration delay) {
      var due = clock.instant().plus(delay);
      tell(new JobNotice.Ready(id, type, queue, priority, due, probe.ref()));
      return this;
    }

    void isAboutToBeReady() {
      var ready = new JobNotice.Ready(id, type, queue, priority, clock.instant(), probe.ref());
      tell(new JobNotice.AboutToBeReady(ready));
    }

    void hearsThatThereIsNone() {
      probe.expectMessage(Job.NoWorker.INSTANCE);
    }

    WorkerCredit offered() {
      return probe.expectMessageClass(Job.Claim.class).credit();
    }

    void takes(WorkerCredit credit) {
      takes(1, credit);
    }

    void takes(int attempt, WorkerCredit credit) {
      tell(new JobNotice.Taken(id, attempt, queue, credit, probe.ref()));
    }

    void declines(WorkerCredit credit) {
      tell(new JobNotice.Declined(id, credit));
    }

    void isFreed() {
      tell(new JobNotice.Freed(id, 1, queue));
    }

    void isWithdrawn() {
      tell(new JobNotice.Withdrawn(id, probe.ref()));
    }

    void isUnderway(WorkerCredit on) {
      tell(
          new JobNotice.Underway(
              id, 1, queue, new ClaimingWorker(on.pool(), on.name()), probe.ref()));
    }

    void hearsNothing() {
      probe.expectNoMessage(Duration.ofMillis(1));
    }
  }

  /// Worker pool as its dispatcher sees it.
  final class Pool {
    final PoolId id;
    final TestProbe<WorkerPool.Command> probe = actors.probe(WorkerPool.Command.class);
    private final TestProbe<WorkerOrder> worker = actors.probe(WorkerOrder.class);
    private final long epoch;
    private final List<Long> open = new ArrayList<>();
    private long last;

    private Pool(String name, int workers, int lends, boolean remote, Set<String> types) {
      id = new PoolId(name);
      tell(new PoolMessage.Register(id, types, workers, lends, remote, probe.ref()));
      epoch = probe.expectMessageClass(WorkerPool.Registered.class).epoch();
    }

    /// Next demand, skipping other messages.
    WorkerPool.Want wanted() {
      return next(WorkerPool.Want.class);
    }

    WorkerPool.Want wants(int workers) {
      var want = wanted();
      return want.workers() == workers ? want : wants(workers);
    }

    /// Gives a worker and delivers the credit.
    WorkerCredit gives() {
      var credit = makes();
      sends(credit);
      return credit;
    }

    /// Gives a worker, without delivering the credit.
    WorkerCredit makes() {
      open.add(++last);
      return new WorkerCredit(id, last, "worker-" + last, worker.ref());
    }

    void sends(WorkerCredit credit) {
      tell(new PoolMessage.Credited(epoch, credit));
    }

    void closes(WorkerCredit credit) {
      open.remove(credit.number());
    }

    void beats(int times) {
      for (int i = 0; i < times; i++) {
        beats();
      }
    }

    void beats() {
      tell(new PoolMessage.Beat(id, 1, last, open));
    }

    long getsBack() {
      return next(WorkerPool.GiveBack.class).credit();
    }

    <T extends WorkerPool.Command> T next(Class<T> kind) {
      var message = probe.receiveMessage();
      return kind.isInstance(message) ? kind.cast(message) : next(kind);
    }

    void leaves() {
      tell(new PoolMessage.Leave(id));
    }

    void dies() {
      probe.stop();
    }
  }
}
