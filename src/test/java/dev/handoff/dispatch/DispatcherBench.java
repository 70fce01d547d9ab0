package dev.handoff.dispatch;

import dev.handoff.job.Claimant;
import dev.handoff.job.Credit;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobFact;
import dev.handoff.job.JobId;
import dev.handoff.job.JobNotice;
import dev.handoff.job.JobOptions;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobSpec;
import dev.handoff.job.JobState;
import dev.handoff.job.Json;
import dev.handoff.job.PartitionNotice;
import dev.handoff.job.PoolId;
import dev.handoff.job.WorkerOrder;
import dev.handoff.ledger.Ulid;
import dev.handoff.testing.Actors;
import dev.handoff.testing.HandClock;
import dev.handoff.testing.Soon;
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

/// A dispatcher with nothing but probes around it: jobs, pools, queues and its partition say and
/// hear what a test wants.
final class DispatcherBench {

  static final Duration HEARTBEAT = Duration.ofSeconds(2);
  static final DispatchSettings SETTINGS =
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
  private final Actors actors;
  private final ActorRef<Object> dispatcher;
  private final Ulid ids = new Ulid(new Random(1));

  DispatcherBench(Actors actors) {
    this.actors = actors;
    partition = actors.probe(PartitionNotice.class);
    queues = actors.probe(Queues.Command.class);
    dispatcher =
        actors.spawn(
            Dispatcher.createForJobs(
                new Dispatcher.Environment(
                    1, SETTINGS, clock, queue -> 1, queues.ref(), partition.ref())));
  }

  /// The rules are known, and there are none.
  DispatcherBench withoutRules() {
    rules(0, Map.of(), Map.of());
    queues.expectMessageClass(Queues.Confirmed.class);
    return this;
  }

  void rules(long version, Map<String, QueueRule> rules, Map<String, Long> eras) {
    tell(new Dispatcher.Rules(version, rules, eras));
  }

  void tell(Object message) {
    dispatcher.tell(message);
  }

  /// A heartbeat goes by.
  void beat() {
    actors.pass(HEARTBEAT);
  }

  Dispatcher.Load load() {
    return Soon.get(
        AskPattern.<Object, Dispatcher.Load>ask(
            dispatcher, Dispatcher.GetLoad::new, HEARTBEAT, actors.system().scheduler()));
  }

  Seat job(String type, String queue) {
    return job(type, queue, 0);
  }

  /// A job, which says nothing by itself.
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

  /// A pool that lends idle workers to a dispatcher without a job for them.
  Pool lendingPool(String name, int workers, int lends, String... types) {
    return new Pool(name, workers, lends, false, Set.of(types));
  }

  /// What the partition is told next of a job's worker.
  JobId nextLost() {
    var forward = partition.expectMessageClass(PartitionNotice.Forward.class).message();
    return forward.command() instanceof Job.Do(JobCommand.LoseWorker loss, var replyTo)
        ? forward.job()
        : nextLost();
  }

  /// The partition is asked how a job is, and knows.
  void answersForJob(JobState state) {
    var forward = partition.expectMessageClass(PartitionNotice.Forward.class).message();
    ((Job.Get) forward.command()).replyTo().tell(new JobReply.Done(state));
  }

  /// A job as its dispatcher knows it.
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

    /// How it is after these facts.
    JobState after(JobFact... facts) {
      var spec =
          new JobSpec(type, Json.NULL, queue, priority, null, null, JobOptions.DEFAULT, null);
      var state = JobState.create(id, new JobFact.Submitted(spec, clock.instant(), false));
      for (var fact : facts) {
        state = state.apply(fact);
      }
      return state;
    }

    JobFact claims(Credit credit) {
      return new JobFact.Claimed(1, new Claimant(credit.pool(), credit.name()), clock.instant());
    }

    /// The same job, made anew.
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

    Credit offered() {
      return probe.expectMessageClass(Job.Claim.class).credit();
    }

    void takes(Credit credit) {
      takes(1, credit);
    }

    void takes(int attempt, Credit credit) {
      tell(new JobNotice.Taken(id, attempt, queue, credit, probe.ref()));
    }

    void declines(Credit credit) {
      tell(new JobNotice.Declined(id, credit));
    }

    void isFreed() {
      tell(new JobNotice.Freed(id, 1, queue));
    }

    void isWithdrawn() {
      tell(new JobNotice.Withdrawn(id, probe.ref()));
    }

    void isUnderway(Credit on) {
      tell(new JobNotice.Underway(id, 1, queue, new Claimant(on.pool(), on.name()), probe.ref()));
    }

    void hearsNothing() {
      probe.expectNoMessage(Duration.ofMillis(1));
    }
  }

  /// A worker pool as its dispatcher knows it.
  final class Pool {
    final PoolId id;
    final TestProbe<WorkerPool.Command> probe = actors.probe(WorkerPool.Command.class);
    private final TestProbe<WorkerOrder> worker = actors.probe(WorkerOrder.class);
    private final long epoch;
    private final List<Long> open = new ArrayList<>();
    private long last;

    private Pool(String name, int workers, int lends, boolean remote, Set<String> types) {
      id = new PoolId(name);
      tell(new FromPool.Register(id, types, workers, lends, remote, probe.ref()));
      epoch = probe.expectMessageClass(WorkerPool.Registered.class).epoch();
    }

    /// What is wanted next, whatever else is said.
    WorkerPool.Want wanted() {
      return next(WorkerPool.Want.class);
    }

    WorkerPool.Want wants(int workers) {
      var want = wanted();
      return want.workers() == workers ? want : wants(workers);
    }

    /// Gives a worker that does get there.
    Credit gives() {
      var credit = makes();
      sends(credit);
      return credit;
    }

    /// Gives a worker, and the message is on its way.
    Credit makes() {
      open.add(++last);
      return new Credit(id, last, "worker-" + last, worker.ref());
    }

    void sends(Credit credit) {
      tell(new FromPool.Credited(epoch, credit));
    }

    void closes(Credit credit) {
      open.remove(credit.number());
    }

    void beats(int times) {
      for (int i = 0; i < times; i++) {
        beats();
      }
    }

    void beats() {
      tell(new FromPool.Beat(id, 1, last, open));
    }

    long getsBack() {
      return next(WorkerPool.GiveBack.class).credit();
    }

    <T extends WorkerPool.Command> T next(Class<T> kind) {
      var message = probe.receiveMessage();
      return kind.isInstance(message) ? kind.cast(message) : next(kind);
    }

    void leaves() {
      tell(new FromPool.Leave(id));
    }

    void dies() {
      probe.stop();
    }
  }
}
