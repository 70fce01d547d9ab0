package dev.handoff.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.engine.Facts;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobState;
import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.Ledger;
import dev.handoff.ledger.LiveStates;
import dev.handoff.ledger.StoredEvent;
import dev.handoff.plan.change.SetBody;
import dev.handoff.testing.Actors;
import dev.handoff.testing.HandClock;
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

/// One plan's actor with everything around it in the hands of a test: its ledger writes when the
/// test says so, its steps do what the test says, and whoever it talks to is a probe.
final class PlanHarness {

  static final Duration REPEAT = Duration.ofSeconds(5);
  static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  final TestProbe<Ledger.Command> ledger;
  final TestProbe<PlanNotice> partition;
  final TestProbe<Applies.Command> applies;
  final TestProbe<PlanReply> caller;
  final HandClock clock = new HandClock(PlanSamples.NOW);
  final AtomicLong nanos = new AtomicLong();
  final LinkedBlockingQueue<Kept> kept = new LinkedBlockingQueue<>();
  private final LiveStates live = new LiveStates();
  private final Map<String, EntityState> states = new HashMap<>();
  private final Actors actors;
  private final PlanEnvironment environment;
  PlanId id;
  ActorRef<Plan.Command> plan;

  /// A body that is to be stored.
  record Kept(PlanId owner, SetBody body, CompletableFuture<String> done) {}

  PlanHarness(Actors actors) {
    this(actors, 100);
  }

  PlanHarness(Actors actors, int waiting) {
    this.actors = actors;
    ledger = actors.probe(Ledger.Command.class);
    partition = actors.probe(PlanNotice.class);
    applies = actors.probe(Applies.Command.class);
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

  /// A plan that is being submitted; its first append is on its way.
  PlanHarness submitted(PlanDraft draft) {
    id = new PlanId(PlanSamples.newId());
    return start(new Plan.Submitted(id, draft, caller.ref()));
  }

  /// A plan that has just been accepted.
  PlanHarness running(PlanDraft draft) {
    submitted(draft);
    commit();
    partition.expectMessageClass(PlanNotice.Born.class);
    caller.expectMessage(new PlanReply.Accepted(id));
    return this;
  }

  /// A plan that was live before, with its steps as they are born.
  PlanHarness live(PlanDraft draft) {
    id = new PlanId(PlanSamples.newId());
    var birth = PlanBirth.of(id, draft, clock.instant(), new Random(8));
    birth.facts(PlanSamples.CODEC).forEach(fact -> fold(fact.entity(), fact.event()));
    return again();
  }

  /// An actor that is made from what the ledger holds.
  PlanHarness again() {
    return start(new Plan.Live(durable()));
  }

  /// One for a plan that is in history.
  PlanHarness archived() {
    return start(new Plan.Archived(durable()));
  }

  /// The actor of a child plan, in the hands of the test like its parent.
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

  /// Time goes by, and the clock is not set meanwhile.
  void pass(Duration time) {
    clock.move(time);
    elapse(time);
  }

  /// Time goes by; what the clock says of it is for the test.
  void elapse(Duration time) {
    nanos.addAndGet(time.toNanos());
    actors.pass(time);
  }

  /// Waits until the plan has handled what it tells itself after an answer: that is in its mailbox
  /// when a first question is handled, and handled when a second one is.
  void letAdvance() {
    state();
    state();
  }

  void order(PlanCommand command) {
    plan.tell(new Plan.Do(command, caller.ref()));
  }

  /// The state as the actor has it. Also a barrier: everything sent before has been handled.
  PlanState state() {
    var asked = actors.probe(PlanReply.class);
    plan.tell(new Plan.Get(asked.ref()));
    return ((PlanReply.Current) asked.receiveMessage()).state();
  }

  /// The state as the ledger, or history, has it.
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

  /// Takes the next append and makes it durable.
  Ledger.Append commit() {
    var append = append();
    commit(append);
    return append;
  }

  void commit(Ledger.Append append) {
    append.sender().tell(committed(append));
  }

  /// Makes an append durable, and leaves it to the test to say so.
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
    var after = Facts.fold(live, entity, event);
    after.forEach(state -> states.put(state.id().value(), state));
    return after;
  }

  /// A job of the plan does something, and the ledger tells the plan.
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

  /// A job answers what the plan has told it.
  void answer(ForJob told, JobReply reply) {
    ((Job.Do) told.command()).replyTo().tell(reply);
  }

  void refuse(Ledger.Append append) {
    append.sender().tell(new Ledger.Refused("it has a stain"));
  }

  void turnDown(Ledger.Append append) {
    append.sender().tell(new Ledger.Unavailable("the store is away", Duration.ofSeconds(7)));
  }

  /// What the next order is, and to which step.
  void expectOrder(String step, JobCommand command) {
    var told = nextOrder();
    assertThat(told.job()).isEqualTo(spec(step).job());
    assertThat(((Job.Do) told.command()).command()).isEqualTo(command);
  }

  ForJob nextOrder() {
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

  /// Nobody has heard anything.
  void expectSilence() {
    state();
    for (var probe : List.of(ledger, partition, applies, caller)) {
      probe.expectNoMessage(Duration.ofMillis(10));
    }
  }
}
