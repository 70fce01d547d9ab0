package dev.handoff.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.Ledger;
import dev.handoff.testing.Actors;
import dev.handoff.testing.HandClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/// One job with everything around it in the hands of a test: its ledger writes when the test says
/// so, and whoever it talks to is a probe.
final class JobHarness {

  static final JobSettings SETTINGS =
      new JobSettings(3, Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(5));

  final TestProbe<Ledger.Command> ledger;
  final TestProbe<JobNotice> dispatcher;
  final TestProbe<PartitionNotice> partition;
  final TestProbe<WorkerOrder> worker;
  final TestProbe<JobReply> caller;
  final TestProbe<SubmitReply> submitter;
  final HandClock clock = new HandClock(Samples.NOW);
  final JobEnvironment environment;
  final Credit credit;
  final Credit other;
  private final Actors actors;
  private final Map<String, JobState> states = new HashMap<>();
  ActorRef<Job.Command> job;

  JobHarness(Actors actors) {
    this(actors, StoredSamples.codec());
  }

  JobHarness(Actors actors, FactCodec codec) {
    this.actors = actors;
    ledger = actors.probe(Ledger.Command.class);
    dispatcher = actors.probe(JobNotice.class);
    partition = actors.probe(PartitionNotice.class);
    worker = actors.probe(WorkerOrder.class);
    caller = actors.probe(JobReply.class);
    submitter = actors.probe(SubmitReply.class);
    environment =
        new JobEnvironment(
            ledger.ref(),
            dispatcher.ref(),
            partition.ref(),
            codec,
            clock,
            SETTINGS,
            HistoryRules.KEEP_ALL);
    credit = new Credit(new PoolId("pool-1"), 41, "worker-1", worker.ref());
    other = new Credit(new PoolId("pool-1"), 42, "worker-2", worker.ref());
  }

  /// A job that is being submitted; its first append is on its way.
  JobHarness submitted(JobSpec spec) {
    return start(new Job.Submitted(Samples.ID, spec, false, false, submitter.ref()));
  }

  /// The same by somebody else.
  JobHarness submittedBy(ActorRef<SubmitReply> replyTo) {
    return start(new Job.Submitted(Samples.ID, Samples.spec(), false, false, replyTo));
  }

  /// A job that is being submitted and has asked for a worker first.
  JobHarness asking(JobSpec spec) {
    return start(new Job.Submitted(Samples.ID, spec, false, true, submitter.ref()));
  }

  /// A job that was live before.
  JobHarness live(JobState state) {
    states.put(state.id().value(), state);
    return start(new Job.Live(state));
  }

  /// A job of history that is being opened again.
  JobHarness reopened(JobState state) {
    return start(new Job.Reopened(state, new JobCommand.Retry("ann"), caller.ref()));
  }

  private JobHarness start(Job.Start start) {
    job = actors.spawn(Job.unborn(environment));
    job.tell(start);
    return this;
  }

  /// A job whose attempt was claimed with [#credit] and runs.
  JobHarness running(JobSpec spec) {
    submitted(spec);
    commit();
    job.tell(new Job.Claim(credit));
    commit();
    order(Samples.started(1));
    commit();
    submitter.expectMessageClass(SubmitReply.Accepted.class);
    dispatcher.expectMessageClass(JobNotice.Ready.class);
    dispatcher.expectMessageClass(JobNotice.Taken.class);
    worker.expectMessageClass(WorkerOrder.Run.class);
    caller.expectMessageClass(JobReply.Recorded.class);
    return this;
  }

  /// A running job with a child.
  JobHarness parent() {
    running(Samples.spec(3));
    job.tell(new Job.AddChild(1, child(), caller.ref()));
    commit();
    partition.expectMessageClass(PartitionNotice.Born.class);
    caller.expectMessageClass(JobReply.ChildAccepted.class);
    return this;
  }

  static JobSpec child() {
    return new JobSpec("resize", Json.NULL, "images", 0, "left", null, JobOptions.DEFAULT, null);
  }

  void order(JobCommand command) {
    job.tell(new Job.Do(command, caller.ref()));
  }

  /// The state as the job has it. Also a barrier: everything sent before has been handled.
  JobState state() {
    var asked = actors.probe(JobReply.class);
    job.tell(new Job.Get(asked.ref()));
    return ((JobReply.Done) asked.receiveMessage()).state();
  }

  /// The next append, which stays unanswered.
  Ledger.Append append() {
    return (Ledger.Append) ledger.receiveMessage();
  }

  /// Takes the next append and makes it durable.
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

  /// Nobody has heard anything.
  void expectSilence() {
    for (var probe : List.of(dispatcher, partition, worker, caller, submitter, ledger)) {
      probe.expectNoMessage(Duration.ofMillis(10));
    }
  }
}
