package dev.handoff.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.handoff.JobId;
import dev.handoff.StoreSettings;
import dev.handoff.internal.dispatch.Queues;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.PartitionNotice;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.ledger.LedgerEnvironment;
import dev.handoff.internal.plan.ApplyRunner;
import dev.handoff.internal.plan.Plan;
import dev.handoff.internal.plan.PlanAnswer;
import dev.handoff.internal.plan.PlanCommand;
import dev.handoff.internal.plan.PlanDraft;
import dev.handoff.internal.plan.PlanEnvelope;
import dev.handoff.internal.plan.PlanEnvironment;
import dev.handoff.internal.plan.PlanNotice;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.ChildActors;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.RewrittenRow;
import dev.handoff.testing.TestActors;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A partition with plans")
class PartitionPlansTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final EngineSettings SETTINGS =
      EngineSettings.from(
          ConfigFactory.parseString("handoff { jobs.stash = 5, ledger.retry-after = 20ms }")
              .withFallback(ConfigFactory.defaultReference())
              .resolve()
              .getConfig("handoff"));

  private static final PlanDraft DRAFT =
      new PlanDraft(
          "site", 5, false, null, List.of(PlanDraft.Step.job("a", List.of(), JobSamples.spec())));

  private final TestProbe<PlanReply> asker = actors.probe(PlanReply.class);
  private final TestProbe<Engine.Command> engine = actors.probe(Engine.Command.class);
  private final BreakableClock clock = new BreakableClock();
  private HeldStore store;
  private ActorRef<Partition.Command> partition;

  /// Clock whose `millis()` can fail; only plans and jobs call that method.
  private static final class BreakableClock implements InstantSource {

    private volatile boolean broken;

    @Override
    public Instant instant() {
      return Instant.now();
    }

    @Override
    public long millis() {
      if (broken) {
        throw new IllegalStateException("the clock is broken");
      }
      return instant().toEpochMilli();
    }
  }

  @BeforeEach
  void start() {
    var settings =
        new StoreSettings(new StoreSettings.Memory(), 1, StoreSettings.Access.OWN, "the test");
    store = new HeldStore(StoreOpener.open(settings));
    var ledger =
        new LedgerEnvironment(
            store, FactFolding.codec(), FactFolding::fold, SETTINGS.ledger(), Runnable::run);
    var peers =
        new PartitionEnvironment.Peers(
            engine.ref(),
            actors.probe(Queues.Command.class).ref(),
            actors.probe(EventBuffer.Command.class).ref(),
            new PlanEnvironment.Helpers(
                (owner, body) -> CompletableFuture.completedStage(owner.value()),
                actors.probe(ApplyRunner.Command.class).ref()));
    partition =
        actors.spawn(
            Partition.create(0, new PartitionEnvironment("me", ledger, SETTINGS, clock, peers)));
    engine.expectMessageClass(Engine.Opened.class);
  }

  @AfterEach
  void stop() {
    actors.stop(partition);
    store.close();
  }

  private static PlanId newId() {
    return new PlanId(JobSamples.newId(0).value());
  }

  private PlanId accepted() {
    var id = newId();
    partition.tell(new Partition.SubmitPlan(id, DRAFT, asker.ref()));
    asker.expectMessage(new PlanReply.Accepted(id));
    return id;
  }

  private void send(PlanId plan, Plan.Command command) {
    partition.tell(new Partition.DeliverPlan(new PlanEnvelope(plan, command)));
  }

  private void ask(PlanId plan, @Nullable PlanCommand command) {
    send(plan, new Plan.Do(command, asker.ref()));
  }

  private PlanAnswer answer() {
    return asker.expectMessageClass(PlanReply.Answered.class).answer();
  }

  private String turnedAway() {
    return asker.expectMessageClass(PlanReply.Unavailable.class).reason();
  }

  private PlanState state(PlanId plan) {
    send(plan, new Plan.Get(asker.ref()));
    return asker.expectMessageClass(PlanReply.Current.class).state();
  }

  private void cancel(PlanId plan) {
    ask(plan, new PlanCommand.Cancel("a test", "me"));
    assertThat(answer()).isEqualTo(new PlanAnswer.Done());
    send(plan, new Plan.Watch(asker.ref()));
    asker.expectMessageClass(PlanReply.Current.class);
  }

  private PlanId cancelled() {
    var plan = accepted();
    cancel(plan);
    int before = store.finds();
    BoundedWaits.until("its actor is gone", () -> state(plan).ended() && store.finds() > before);
    return plan;
  }

  /// Makes the plan crash.
  private void poison(PlanId plan) {
    ask(plan, null);
    assertThat(turnedAway()).contains("failed and starts anew");
  }

  @Test
  void answersFromHistoryForAPlanThatHasEnded() {
    var plan = cancelled();

    assertThat(state(plan).status()).isEqualTo(PlanStatus.CANCELLED);
    send(plan, new Plan.Watch(asker.ref()));
    assertThat(asker.expectMessageClass(PlanReply.Current.class).state().ended()).isTrue();
    ask(plan, new PlanCommand.Cancel("a test", "me"));
    assertThat(answer()).isEqualTo(new PlanAnswer.AlreadyFinished(PlanStatus.CANCELLED));
  }

  @Test
  void saysThatThereIsNoSuchPlanAlsoIfThereIsAJobOfThatName() {
    var unknown = newId();
    send(unknown, new Plan.Get(asker.ref()));
    asker.expectMessage(new PlanReply.NotFound(unknown));

    var plan = cancelled();
    var job = state(plan).spec().steps().getFirst().job();
    send(new PlanId(job.value()), new Plan.Get(asker.ref()));

    asker.expectMessageClass(PlanReply.NotFound.class);
    var jobs = actors.probe(StateReply.class);
    partition.tell(
        new Partition.Deliver(new JobEnvelope(new JobId(plan.value()), new Job.Get(jobs.ref()))));
    jobs.expectMessageClass(StateReply.NotFound.class);
  }

  @Test
  void opensAPlanOnceHoweverManyAskForItAtOnce() {
    var plan = cancelled();
    store.holdLookups();
    for (int i = 0; i < 3; i++) {
      ask(plan, new PlanCommand.Retry("me"));
    }

    store.nextFind().go();

    assertThat(answer()).isEqualTo(new PlanAnswer.Done());
    assertThat(answer()).isInstanceOf(PlanAnswer.Declined.class);
    assertThat(answer()).isInstanceOf(PlanAnswer.Declined.class);
    store.release();
    assertThat(state(plan).status()).isEqualTo(PlanStatus.RUNNING);
  }

  @Test
  void opensAPlanWhoseActorIsOnItsWayOut() {
    for (int i = 0; i < 50; i++) {
      var plan = accepted();
      for (int round = 0; round < 2; round++) {
        cancel(plan);
        ask(plan, new PlanCommand.Retry("me"));
        assertThat(answer()).isEqualTo(new PlanAnswer.Done());
      }
    }
  }

  @Test
  void leavesAPlanEndedThatCouldNotBeOpened() {
    var plan = cancelled();
    store.holdWrites();
    ask(plan, new PlanCommand.Retry("me"));

    store.nextWrite().answer(new WriteResult.Refused("no"));

    asker.expectMessageClass(PlanReply.Refused.class);
    assertThat(state(plan).status()).isEqualTo(PlanStatus.CANCELLED);
  }

  @Test
  void boundsWhatWaitsForALookUp() {
    store.holdLookups();
    var plan = newId();
    for (int i = 0; i < 7; i++) {
      send(plan, new Plan.Get(asker.ref()));
    }
    assertThat(turnedAway()).contains("too many messages wait for plan " + plan);
    turnedAway();

    store.nextFind().go();

    for (int i = 0; i < 5; i++) {
      asker.expectMessage(new PlanReply.NotFound(plan));
    }
  }

  @Test
  void answersWhileHistoryCannotBeAsked() {
    store.holdLookups();
    ask(newId(), new PlanCommand.Cancel("a test", "me"));

    store.nextFind().fail(new IllegalStateException("gone"));

    assertThat(turnedAway()).isEqualTo("gone");
  }

  @Test
  void saysThatTheStoreIsAwayWhenNothingIsWrittenButAsked() {
    store.goAway();
    ask(newId(), new PlanCommand.Cancel("a test", "me"));

    assertThat(turnedAway()).isEqualTo("taken away");
    engine.expectMessage(new Engine.StoreAway(0, "taken away"));
  }

  @Test
  void saysSoWhenAnEndedPlanCannotBeRead() {
    var plan = cancelled();
    var other = cancelled();
    var row = BoundedWaits.get(store.find(plan.value())).orElseThrow();
    store.holdLookups();

    send(plan, new Plan.Get(asker.ref()));
    store.nextFind().answer(Optional.of(RewrittenRow.state(row, (byte) 1, (byte) 2)));
    assertThat(turnedAway()).startsWith("plan " + plan + " cannot be read from history");

    send(other, new Plan.Get(asker.ref()));
    store.nextFind().answer(Optional.of(RewrittenRow.id(row, other.value())));
    assertThat(turnedAway()).contains("it is not the state of this plan");
  }

  @Test
  void makesAPlanAnewWhoseActorHasFailed() {
    var plan = accepted();

    poison(plan);

    assertThat(state(plan).status()).isEqualTo(PlanStatus.RUNNING);
    ask(plan, new PlanCommand.StartChangeset("mine", "me"));
    assertThat(answer()).isEqualTo(new PlanAnswer.Started("c1"));
    cancel(plan);
  }

  @Test
  void stopsAPlanWhoseActorFailsThreeTimesInARow() {
    var plan = accepted();
    BoundedWaits.until("its step may run", () -> state(plan).version() == 2);

    for (int i = 0; i < CrashCounter.MOST; i++) {
      poison(plan);
    }

    send(plan, new Plan.Watch(asker.ref()));
    var ended = asker.expectMessageClass(PlanReply.Current.class).state();
    assertThat(ended.status()).isEqualTo(PlanStatus.FAILED);
    assertThat(ended.phase().toString()).contains("its actor failed 3 times in a row");
  }

  @Test
  void leavesAPlanAloneWhoseActorCannotEvenGiveItUp() {
    var plan = accepted();
    BoundedWaits.until("its step may run", () -> state(plan).version() == 2);
    clock.broken = true;
    ask(plan, new PlanCommand.StartChangeset("mine", "me"));
    turnedAway();

    BoundedWaits.until(
        "it is left alone",
        () -> {
          send(plan, new Plan.Get(asker.ref()));
          return asker.receiveMessage() instanceof PlanReply.Unavailable(var id, var why, var after)
              && why.contains("until the engine is started again");
        });
  }

  /// The write is held until both queries are sent, so that the ledger answers them together.
  @Test
  void givesAPlanOneActorHoweverOftenItsActorFails() {
    var plan = accepted();
    BoundedWaits.until("its step may run", () -> state(plan).version() == 2);
    ActorRef<Plan.Command> actor = ChildActors.named(partition, "$");
    store.holdWrites();
    partition.tell(new Partition.SubmitPlan(newId(), DRAFT, actors.probe(PlanReply.class).ref()));
    var write = store.nextWrite();
    long before = plans();
    var crashed = new PlanNotice.Crashed(plan, actor, "two Errors");
    partition.tell(new Partition.PlanSays(crashed));
    partition.tell(new Partition.PlanSays(crashed));
    expectHeard();
    send(plan, new Plan.Get(asker.ref()));

    store.release();
    write.go();

    assertThat(asker.expectMessageClass(PlanReply.Current.class).state().id()).isEqualTo(plan);
    assertThat(state(plan).id()).isEqualTo(plan);
    assertThat(plans()).isEqualTo(before + 1);
  }

  /// Barrier: the partition has handled all earlier messages.
  private void expectHeard() {
    var unknown = newId();
    send(unknown, new Plan.Get(asker.ref()));
    asker.expectMessage(new PlanReply.NotFound(unknown));
  }

  /// Number of actors of plans.
  private long plans() {
    return ChildActors.of(partition).stream()
        .filter(child -> child.path().name().startsWith("$"))
        .count();
  }

  /// As if the plan had crashed before it announced its steps.
  @Test
  void givesItsStepsActorsThatHaveNone() {
    var plan = accepted();
    BoundedWaits.until("its step may run", () -> state(plan).version() == 2);
    var step = state(plan).spec().steps().getFirst().job();
    ActorRef<Job.Command> actor = ChildActors.named(partition, "1");
    partition.tell(new Partition.JobSays(new PartitionNotice.Gone(step, actor)));
    var jobs = actors.probe(StateReply.class);
    partition.tell(new Partition.Deliver(new JobEnvelope(step, new Job.Get(jobs.ref()))));
    jobs.expectMessageClass(StateReply.NotFound.class);

    poison(plan);

    assertThat(state(plan).status()).isEqualTo(PlanStatus.RUNNING);
    partition.tell(new Partition.Deliver(new JobEnvelope(step, new Job.Get(jobs.ref()))));
    assertThat(jobs.expectMessageClass(StateReply.Found.class).state().id()).isEqualTo(step);
  }
}
