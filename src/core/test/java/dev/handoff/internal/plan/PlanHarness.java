package dev.handoff.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobReply;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.ledger.LiveStates;
import dev.handoff.internal.ledger.StoredEvent;
import dev.handoff.internal.plan.change.SetBody;
import dev.handoff.plan.PlanId;
import dev.handoff.testing.HandClock;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/// Plan actor in a controlled environment: the ledger commits and the steps act when the test says
/// so, and all other recipients are probes.
final class PlanHarness {

  static final Duration REPEAT = Duration.ofSeconds(5);
  static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  final TestProbe<Ledger.Command> ledger;
  final TestProbe<PlanNotice> partition;
  final TestProbe<ApplyRunner.Command> applies;
  final TestProbe<PlanReply> caller;
  final HandClock clock = new HandClock(PlanSamples.NOW);
  final AtomicLong nanos = new AtomicLong();
  final LinkedBlockingQueue<Kept> kept = new LinkedBlockingQueue<>();
  private final LiveStates live = new LiveStates();
  private final Map<String, EntityState> states = new HashMap<>();
  private final TestActors actors;
  private final PlanEnvironment environment;
  PlanId id;
  ActorRef<Plan.Command> plan;

  /// Body to be stored.
  record Kept(PlanId owner, SetBody body, CompletableFuture<String> done) {}

  PlanHarness(TestActors actors) {
    this(actors, 100);
  }

  PlanHarness(TestActors actors, int waiting) {
    this.actors = actors;
    ledger = actors.probe(Ledger.Command.class);
    partition = actors.probe(PlanNotice.class);
    applies = actors.probe(ApplyRunner.Command.class);
    caller = actors.probe(PlanReply.class);
    environment =
        new PlanEnvironment(
            ledger.ref(),
            partition.ref(),
            new PlanEnvironment.Helpers(this::keep, applies.ref()),
            PlanSamples.CODEC,
            new PlanEnvironment.Time(clock, nanos::get),
            new PlanSettings(waiting, REPEAT),
            RETRY_AFTER);
  }

  private CompletableFuture<String> keep(PlanId owner, SetBody body) {
    var done = new CompletableFuture<String>();
    kept.add(new Kept(owner, body, done));
    return done;
  }

  /// Starts a new plan; its first append is pending.
  PlanHarness submitted(PlanDraft draft) {
    id = new PlanId(PlanSamples.newId());
    return start(new Plan.Submitted(id, draft, caller.ref()));
  }

  /// Starts a plan that has just been accepted.
  PlanHarness running(PlanDraft draft) {
    submitted(draft);
    commit();
    partition.expectMessageClass(PlanNotice.Born.class);
    caller.expectMessage(new PlanReply.Accepted(id));
    return this;
  }

  /// Starts the actor of a live plan with all steps in their initial states, as after a recovery.
  PlanHarness live(PlanDraft draft) {
    id = new PlanId(PlanSamples.newId());
    var birth = PlanBirth.of(id, draft, clock.instant(), new Random(8));
    birth.facts(PlanSamples.CODEC).forEach(fact -> fold(fact.entity(), fact.event()));
    return again();
  }

  /// Starts an actor from the ledger's state.
  PlanHarness again() {
    return start(new Plan.Live(durable()));
  }

  /// Starts an actor for a plan in history.
  PlanHarness archived() {
    return start(new Plan.Archived(durable()));
  }

  /// Starts the actor of a child plan, under the test's control like its parent.
  PlanHarness child(String step) {
    var child = new PlanHarness(actors);
    child.states.putAll(states);
    states.values().stream().filter(state -> !state.ended()).forEach(child.live::put);
    child.id = spec(step).plan();
    return child.again();
  }

  private PlanHarness start(Plan.Start start) {
    plan = actors.spawn(Plan.unborn(environment));
    plan.tell(start);
    return this;
  }

  /// Lets time pass, by the monotonic and the wall clock.
  void pass(Duration time) {
    clock.move(time);
    elapse(time);
  }

  /// Lets time pass by the monotonic clock only; the test sets the wall clock.
  void elapse(Duration time) {
    nanos.addAndGet(time.toNanos());
    actors.pass(time);
  }

  /// Waits until the plan has handled its own message after an answer: it is in the mailbox when a
  /// first query is handled, and handled when a second one is.
  void letAdvance() {
    state();
    state();
  }

  void order(PlanCommand command) {
    plan.tell(new Plan.Do(command, caller.ref()));
  }

  /// State of the actor. Also a barrier: all earlier messages have been handled.
  PlanState state() {
    var asked = actors.probe(PlanReply.class);
    plan.tell(new Plan.Get(asked.ref()));
    return ((PlanReply.Current) asked.receiveMessage()).state();
  }

  /// State in the ledger or in history.
  PlanState durable() {
    return (PlanState) states.get(id.value());
  }

  JobState jobState(String step) {
    return (JobState) states.get(spec(step).job().value());
  }

  PlanSpec.Step spec(String step) {
    return durable().spec().steps().stream()
        .filter(one -> one.name().equals(step))
        .findFirst()
        .orElseThrow();
  }

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
    append.sender().tell(committed(append));
  }

  /// Makes an append durable without answering it.
  Ledger.Committed committed(Ledger.Append append) {
    var others = new ArrayList<EntityState>();
    for (var fact : append.facts()) {
      for (var state : fold(fact.entity(), fact.event())) {
        if (!state.id().value().equals(append.entity())) {
          others.add(state);
        }
      }
    }
    return new Ledger.Committed(states.get(append.entity()), others);
  }

  private List<EntityState> fold(String entity, StoredEvent event) {
    var after = FactFolding.fold(live, entity, event);
    after.forEach(state -> states.put(state.id().value(), state));
    return after;
  }

  /// Changes a job of the plan, and reports each change to the plan.
  void job(String step, JobCommand... commands) {
    for (var command : commands) {
      var job = jobState(step);
      for (var fact : job.decide(command, clock.instant(), new Random(1)).facts()) {
        fold(job.id().value(), fact);
        plan.tell(new Plan.Moved(durable()));
      }
    }
  }

  void succeed(String step) {
    PlanSamples.untilSucceeded().forEach(command -> job(step, command));
  }

  void fail(String step) {
    PlanSamples.untilFailed().forEach(command -> job(step, command));
  }

  /// Answers the plan's message to a job.
  void answer(JobEnvelope told, JobReply reply) {
    ((Job.Do) told.command()).replyTo().tell(reply);
  }

  void refuse(Ledger.Append append) {
    append.sender().tell(new Ledger.Refused("it has a stain"));
  }

  void turnDown(Ledger.Append append) {
    append.sender().tell(new Ledger.Unavailable("the store is away", Duration.ofSeconds(7)));
  }

  /// Expects an order to a step's job.
  void expectOrder(String step, JobCommand command) {
    var told = nextOrder();
    assertThat(told.job()).isEqualTo(spec(step).job());
    assertThat(((Job.Do) told.command()).command()).isEqualTo(command);
  }

  JobEnvelope nextOrder() {
    return partition.expectMessageClass(PlanNotice.ToJob.class).message();
  }

  static List<Class<?>> kinds(Ledger.Append append) {
    return append.facts().stream().<Class<?>>map(fact -> fact.event().getClass()).toList();
  }

  void expectFacts(Ledger.Append append, Class<?>... kinds) {
    assertThat(kinds(append)).containsExactly(kinds);
  }

  PlanAnswer answer() {
    return caller.expectMessageClass(PlanReply.Answered.class).answer();
  }

  /// Asserts that no probe receives a message.
  void expectSilence() {
    state();
    for (var probe : List.of(ledger, partition, applies, caller)) {
      probe.expectNoMessage(Duration.ofMillis(10));
    }
  }
}
