package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.testing.HandClock;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/// Job actor in a controlled environment: the ledger commits when the test says so, and all other
/// recipients are probes.
final class JobHarness {

  static final JobSettings SETTINGS =
      new JobSettings(3, Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(5));

  final TestProbe<Ledger.Command> ledger;
  final TestProbe<JobNotice> dispatcher;
  final TestProbe<PartitionNotice> partition;
  final TestProbe<WorkerOrder> worker;
  final TestProbe<WireMessage> caller;
  final TestProbe<SubmitReply> submitter;
  final HandClock clock = new HandClock(JobSituations.NOW);
  final JobEnvironment environment;
  final WorkerCredit credit;
  final WorkerCredit other;
  private final TestActors actors;
  private final Map<String, JobState> states = new HashMap<>();
  ActorRef<Job.Command> job;

  JobHarness(TestActors actors) {
    this(actors, StoredSamples.codec());
  }

  JobHarness(TestActors actors, FactCodec codec) {
    this.actors = actors;
    ledger = actors.probe(Ledger.Command.class);
    dispatcher = actors.probe(JobNotice.class);
    partition = actors.probe(PartitionNotice.class);
    worker = actors.probe(WorkerOrder.class);
    caller = actors.probe(WireMessage.class);
    submitter = actors.probe(SubmitReply.class);
    environment =
        new JobEnvironment(
            ledger.ref(),
            dispatcher.ref()::tell,
            partition.ref(),
            codec,
            clock,
            SETTINGS,
            HistoryRules.KEEP_ALL);
    credit = new WorkerCredit(new PoolId("pool-1"), 41, "worker-1", worker.ref());
    other = new WorkerCredit(new PoolId("pool-1"), 42, "worker-2", worker.ref());
  }

  /// Starts a new job; its first append is pending.
  JobHarness submitted(JobSpec spec) {
    return start(new Job.StartNew(JobSituations.ID, spec, false, false, submitter.ref()));
  }

  /// Starts a new job with another submitter.
  JobHarness submittedBy(ActorRef<SubmitReply> replyTo) {
    return start(new Job.StartNew(JobSituations.ID, JobSituations.spec(), false, false, replyTo));
  }

  /// Starts a new job that has asked for a worker first.
  JobHarness asking(JobSpec spec) {
    return start(new Job.StartNew(JobSituations.ID, spec, false, true, submitter.ref()));
  }

  /// Starts the actor of a live job, as after a recovery.
  JobHarness live(JobState state) {
    states.put(state.id().value(), state);
    return start(new Job.StartLive(state));
  }

  /// Starts the actor of a job that is being reopened from history.
  JobHarness reopened(JobState state) {
    return start(new Job.StartReopened(state, new JobCommand.Retry("ann"), caller.ref().narrow()));
  }

  private JobHarness start(Job.Start start) {
    job = actors.spawn(Job.unborn(environment));
    job.tell(start);
    return this;
  }

  /// Starts a job with a running attempt, claimed with [#credit].
  JobHarness running(JobSpec spec) {
    submitted(spec);
    commit();
    job.tell(new Job.Claim(credit));
    commit();
    order(JobSituations.started(1));
    commit();
    submitter.expectMessageClass(SubmitReply.Accepted.class);
    dispatcher.expectMessageClass(JobNotice.Ready.class);
    dispatcher.expectMessageClass(JobNotice.Taken.class);
    worker.expectMessageClass(WorkerOrder.Run.class);
    caller.expectMessageClass(ReportReply.Recorded.class);
    return this;
  }

  /// Starts a running job with a child.
  JobHarness parent() {
    running(JobSituations.spec(3));
    job.tell(new Job.AddChild(1, child(), caller.ref().narrow()));
    commit();
    partition.expectMessageClass(PartitionNotice.Born.class);
    caller.expectMessageClass(ChildReply.Accepted.class);
    return this;
  }

  static JobSpec child() {
    return new JobSpec("resize", Json.NULL, "images", 0, "left", null, JobOptions.DEFAULT, null);
  }

  void order(JobCommand command) {
    job.tell(JobSituations.message(command, caller.ref()));
  }

  /// State of the job. Also a barrier: all earlier messages have been handled.
  JobState state() {
    var asked = actors.probe(StateReply.class);
    job.tell(new Job.Get(asked.ref()));
    return ((StateReply.Found) asked.receiveMessage()).state();
  }

  /// Awaits the next append and leaves it unanswered.
  Ledger.Append append() {
    return (Ledger.Append) ledger.receiveMessage();
  }

  /// Awaits the next append and makes it durable.
  Ledger.Append commit() {
    var append = append();
    commit(append);
    return append;
  }

  void commit(Ledger.Append append) {
    var others = new ArrayList<EntityState>();
    for (var fact : append.facts()) {
      var after = fold(states.get(fact.entity()), fact.entity(), (JobFact) fact.event());
      states.put(fact.entity(), after);
      if (!fact.entity().equals(append.entity())) {
        others.add(after);
      }
    }
    append.sender().tell(new Ledger.Committed(states.get(append.entity()), others));
  }

  void refuse(Ledger.Append append) {
    append.sender().tell(new Ledger.Refused("it has a stain"));
  }

  void turnDown(Ledger.Append append) {
    append.sender().tell(new Ledger.Unavailable("the store is away", Duration.ofSeconds(7)));
  }

  private static JobState fold(JobState before, String entity, JobFact fact) {
    return switch (fact) {
      case JobFact.Submitted submitted -> JobState.create(new JobId(entity), submitted);
      case JobFact.Reopened opened -> opened.state().apply(opened);
      case JobFact other -> before.apply(other);
    };
  }

  static List<Class<?>> kinds(Ledger.Append append) {
    return append.facts().stream().<Class<?>>map(fact -> fact.event().getClass()).toList();
  }

  void expectFacts(Ledger.Append append, Class<?>... kinds) {
    assertThat(kinds(append)).containsExactly(kinds);
  }

  /// Asserts that no probe receives a message.
  void expectSilence() {
    for (var probe : List.of(dispatcher, partition, worker, caller, submitter, ledger)) {
      probe.expectNoMessage(Duration.ofMillis(10));
    }
  }
}
