package dev.handoff.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.handoff.dispatch.Queues;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.PartitionNotice;
import dev.handoff.ledger.LedgerEnvironment;
import dev.handoff.plan.Applies;
import dev.handoff.plan.ForPlan;
import dev.handoff.plan.Plan;
import dev.handoff.plan.PlanAnswer;
import dev.handoff.plan.PlanCommand;
import dev.handoff.plan.PlanDraft;
import dev.handoff.plan.PlanEnvironment;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanNotice;
import dev.handoff.plan.PlanReply;
import dev.handoff.plan.PlanState;
import dev.handoff.plan.PlanStatus;
import dev.handoff.store.StoreSettings;
import dev.handoff.store.Stores;
import dev.handoff.store.WriteResult;
import dev.handoff.testing.Actors;
import dev.handoff.testing.Children;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.Rewritten;
import dev.handoff.testing.Soon;
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
class PlanDeskTest {

  @RegisterExtension static final Actors actors = Actors.inRealTime();

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

  /// Plans and jobs, and nobody else, read milliseconds.
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
    store = new HeldStore(Stores.open(settings));
    var ledger =
        new LedgerEnvironment(store, Facts.codec(), Facts::fold, SETTINGS.ledger(), Runnable::run);
    var peers =
        new PartitionEnvironment.Peers(
            engine.ref(),
            actors.probe(Queues.Command.class).ref(),
            actors.probe(Events.Command.class).ref(),
            new PlanEnvironment.Helpers(
                (owner, body) -> CompletableFuture.completedStage(owner.value()),
                actors.probe(Applies.Command.class).ref()));
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
    partition.tell(new Partition.DeliverPlan(new ForPlan(plan, command)));
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
    Soon.until("its actor is gone", () -> state(plan).ended() && store.finds() > before);
    return plan;
  }

  /// No plan can make sense of it.
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
    var jobs = actors.probe(JobReply.class);
    partition.tell(
        new Partition.Deliver(new ForJob(new JobId(plan.value()), new Job.Get(jobs.ref()))));
    jobs.expectMessageClass(JobReply.NotFound.class);
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
    var row = Soon.get(store.find(plan.value())).orElseThrow();
    store.holdLookups();

    send(plan, new Plan.Get(asker.ref()));
    store.nextFind().answer(Optional.of(Rewritten.state(row, (byte) 1, (byte) 2)));
    assertThat(turnedAway()).startsWith("plan " + plan + " cannot be read from history");

    send(other, new Plan.Get(asker.ref()));
    store.nextFind().answer(Optional.of(Rewritten.id(row, other.value())));
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
    Soon.until("its step may run", () -> state(plan).version() == 2);

    for (int i = 0; i < Crashes.MOST; i++) {
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
    Soon.until("its step may run", () -> state(plan).version() == 2);
    clock.broken = true;
    ask(plan, new PlanCommand.StartChangeset("mine", "me"));
    turnedAway();

    Soon.until(
        "it is left alone",
        () -> {
          send(plan, new Plan.Get(asker.ref()));
          return asker.receiveMessage() instanceof PlanReply.Unavailable(var id, var why, var after)
              && why.contains("until the engine is started again");
        });
  }

  /// While a write is held, so that the ledger answers both questions after both are asked.
  @Test
  void givesAPlanOneActorHoweverOftenItsActorFails() {
    var plan = accepted();
    Soon.until("its step may run", () -> state(plan).version() == 2);
    ActorRef<Plan.Command> actor = Children.named(partition, "$");
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

  /// The partition has handled everything that it was sent before.
  private void expectHeard() {
    var unknown = newId();
    send(unknown, new Plan.Get(asker.ref()));
    asker.expectMessage(new PlanReply.NotFound(unknown));
  }

  /// How many actors of plans there are.
  private long plans() {
    return Children.of(partition).stream()
        .filter(child -> child.path().name().startsWith("$"))
        .count();
  }

  /// As if the plan had failed before it could tell of its steps.
  @Test
  void givesItsStepsActorsThatHaveNone() {
    var plan = accepted();
    Soon.until("its step may run", () -> state(plan).version() == 2);
    var step = state(plan).spec().steps().getFirst().job();
    ActorRef<Job.Command> actor = Children.named(partition, "1");
    partition.tell(new Partition.JobSays(new PartitionNotice.Gone(step, actor)));
    var jobs = actors.probe(JobReply.class);
    partition.tell(new Partition.Deliver(new ForJob(step, new Job.Get(jobs.ref()))));
    jobs.expectMessageClass(JobReply.NotFound.class);

    poison(plan);

    assertThat(state(plan).status()).isEqualTo(PlanStatus.RUNNING);
    partition.tell(new Partition.Deliver(new ForJob(step, new Job.Get(jobs.ref()))));
    assertThat(jobs.expectMessageClass(JobReply.Done.class).job()).isEqualTo(step);
  }
}
