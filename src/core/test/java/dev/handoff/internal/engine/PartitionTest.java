package dev.handoff.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.handoff.JobId;
import dev.handoff.JobStatus;
import dev.handoff.StoreSettings;
import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.PoolMessage;
import dev.handoff.internal.dispatch.Queues;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.job.ChildReply;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobReply;
import dev.handoff.internal.job.JobSituations;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.PartitionNotice;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.job.SubmitReply;
import dev.handoff.internal.job.WatchReply;
import dev.handoff.internal.job.WorkerCredit;
import dev.handoff.internal.job.WorkerOrder;
import dev.handoff.internal.ledger.Fact;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.ledger.LedgerEnvironment;
import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.internal.plan.ApplyRunner;
import dev.handoff.internal.plan.Plan;
import dev.handoff.internal.plan.PlanDraft;
import dev.handoff.internal.plan.PlanEnvelope;
import dev.handoff.internal.plan.PlanEnvironment;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.KeyHolder;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.plan.PlanId;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.ChildActors;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.RewrittenRow;
import dev.handoff.testing.TestActors;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A partition")
class PartitionTest {

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

  private final TestProbe<Engine.Command> engine = actors.probe(Engine.Command.class);
  private final TestProbe<WireMessage> asker = actors.probe(WireMessage.class);
  private final TestProbe<SubmitReply> submitter = actors.probe(SubmitReply.class);
  private final JobClock clock = new JobClock();
  private HeldStore store;
  private ActorRef<Dispatcher.Command> dispatcher;
  private ActorRef<Ledger.Command> ledger;
  private ActorRef<Partition.Command> partition;

  /// Clock whose `millis()` can fail; only jobs call that method.
  private static final class JobClock implements InstantSource {

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
    partition = actors.spawn(behavior());
    var opened = engine.expectMessageClass(Engine.Opened.class);
    dispatcher = opened.dispatcher();
    ledger = opened.ledger();
  }

  private org.apache.pekko.actor.typed.Behavior<Partition.Command> behavior() {
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
    return Partition.create(0, new PartitionEnvironment("me", ledger, SETTINGS, clock, peers));
  }

  @AfterEach
  void stop() {
    actors.stop(partition);
    store.close();
  }

  private JobId submit(JobSpec spec) {
    var id = JobSamples.newId(0);
    partition.tell(new Partition.Submit(id, spec, submitter.ref()));
    return id;
  }

  private JobId accepted(JobSpec spec) {
    var id = submit(spec);
    submitter.expectMessage(new SubmitReply.Accepted(id));
    return id;
  }

  private void send(JobId job, Job.Command command) {
    partition.tell(new Partition.Deliver(new JobEnvelope(job, command)));
  }

  private void ask(JobId job, JobCommand command) {
    send(job, JobSituations.message(command, asker.ref()));
  }

  private JobState state(JobId job) {
    send(job, new Job.Get(asker.ref().narrow()));
    return asker.expectMessageClass(StateReply.Found.class).state();
  }

  private JobId cancelled(JobSpec spec) {
    var job = accepted(spec);
    ask(job, new JobCommand.Cancel("a test", "me"));
    asker.expectMessageClass(JobReply.Done.class);
    int before = store.finds();
    BoundedWaits.until("its actor is gone", () -> state(job).ended() && store.finds() > before);
    return job;
  }

  /// Makes the job crash.
  private void poison(JobId job) {
    send(job, new Job.AddChild(1, null, asker.ref().narrow()));
    asker.expectMessageClass(ChildReply.Unavailable.class);
  }

  @Test
  void answersASubmissionWithTheSameKeyAsSoonAsTheFirstIsDurable() {
    store.holdWrites();
    var first = submit(JobSamples.withKey("k", 1));
    submit(JobSamples.withKey("k", 1));
    submit(JobSamples.withKey("k", 2));
    var write = store.nextWrite();
    submit(JobSamples.withKey("k", 1));
    submitter.expectNoMessage(java.time.Duration.ZERO);

    write.go();

    submitter.expectMessage(new SubmitReply.Accepted(first));
    submitter.expectMessage(new SubmitReply.Existing(first));
    submitter.expectMessage(new SubmitReply.KeyConflict(first, "k"));
    submitter.expectMessage(new SubmitReply.Existing(first));
  }

  @Test
  void asksHistoryForManyKeysAtOnce() {
    store.holdLookups();
    submit(JobSamples.withKey("first", 1));
    var first = store.nextKeys();
    for (int i = 0; i < 10; i++) {
      submit(JobSamples.withKey("k" + i, 1));
      submit(JobSamples.withKey("k" + i, 1));
    }

    first.go();
    store.nextKeys().go();

    var replies = new ArrayList<Class<?>>();
    submitter.receiveSeveralMessages(21).forEach(reply -> replies.add(reply.getClass()));
    assertThat(replies.stream().filter(SubmitReply.Accepted.class::equals)).hasSize(11);
    assertThat(replies.stream().filter(SubmitReply.Existing.class::equals)).hasSize(10);
  }

  @Test
  void tellsThoseWhoWaitedForAKeyWhenItsFirstSubmissionWasRefused() {
    store.holdWrites();
    submit(JobSamples.withKey("k", 1));
    submit(JobSamples.withKey("k", 1));
    submit(JobSamples.withKey("k", 2));

    store.nextWrite().answer(new WriteResult.Refused("it does not like it"));

    submitter.expectMessage(new SubmitReply.Refused("it does not like it"));
    submitter.expectMessageClass(SubmitReply.Unavailable.class);
    submitter.expectMessageClass(SubmitReply.Unavailable.class);
    store.release();
    accepted(JobSamples.withKey("k", 2));
  }

  @Test
  void findsAKeyInHistory() {
    var ended = cancelled(JobSamples.withKey("k", 1));

    submit(JobSamples.withKey("k", 1));
    submitter.expectMessage(new SubmitReply.Existing(ended));
    submit(JobSamples.withKey("k", 2));
    submitter.expectMessage(new SubmitReply.KeyConflict(ended, "k"));
  }

  @Test
  void refusesAKeyWhileHistoryCannotBeAsked() {
    store.holdLookups();
    submit(JobSamples.withKey("k", 1));
    submit(JobSamples.withKey("k", 1));

    store.nextKeys().fail(new IllegalStateException("gone for lunch"));

    for (int i = 0; i < 2; i++) {
      assertThat(submitter.expectMessageClass(SubmitReply.Unavailable.class).reason())
          .isEqualTo("gone for lunch");
    }
    store.release();
    accepted(JobSamples.withKey("k", 1));
  }

  @Test
  void saysThatTheStoreIsAwayWhenNothingIsWrittenButAsked() {
    store.goAway();
    submit(JobSamples.withKey("k", 1));
    submitter.expectMessageClass(SubmitReply.Unavailable.class);
    engine.expectMessage(new Engine.StoreAway(0, "taken away"));

    store.back();

    engine.expectMessage(new Engine.StoreBack(0));
    accepted(JobSamples.withKey("k", 1));
  }

  @Test
  void prefersTheJobThatWasOpenedAgainToTheRowThatItHad() {
    var job = cancelled(JobSamples.withKey("k", 1));
    store.holdLookups();
    submit(JobSamples.withKey("k", 1));
    var late = store.nextKeys();
    ask(job, new JobCommand.Retry("me"));
    store.nextFind().go();
    asker.expectMessageClass(JobReply.Done.class);

    late.answer(Map.of());
    store.nextKeys().go();

    submitter.expectMessage(new SubmitReply.Existing(job));
  }

  @Test
  void saysSoWhenAnEndedJobCannotBeRead() {
    var job = cancelled(JobSamples.withKey("k", 1));
    store.holdLookups();
    ask(job, new JobCommand.Retry("me"));
    send(job, new Job.Get(asker.ref().narrow()));
    store.nextFind().answer(Optional.of(damaged(job)));

    var retried = asker.expectMessageClass(JobReply.Unavailable.class).reason();
    var found = asker.expectMessageClass(StateReply.Unavailable.class).reason();
    for (var reason : List.of(retried, found)) {
      assertThat(reason).contains(job.value()).contains("cannot be read");
    }

    submit(JobSamples.withKey("k", 1));
    store.nextKeys().answer(Map.of("k", new KeyHolder(job.value(), "k", null, true)));
    store.nextFind().answer(Optional.of(damaged(job)));
    assertThat(submitter.expectMessageClass(SubmitReply.Unavailable.class).reason())
        .contains("cannot be read");
  }

  @Test
  void knowsAnEndedJobByItsFingerprintWithoutReadingIt() {
    var job = cancelled(JobSamples.withKey("k", 1));
    int before = store.finds();

    submit(JobSamples.withKey("k", 1));

    submitter.expectMessage(new SubmitReply.Existing(job));
    assertThat(store.finds()).isEqualTo(before);
  }

  @Test
  void readsTheRowOfAKeysHolderWhereTheFingerprintsDiffer() {
    var job = cancelled(JobSamples.withKey("k", 1));

    submit(JobSamples.withKey("k", 2));

    submitter.expectMessage(new SubmitReply.KeyConflict(job, "k"));
  }

  /// Each row can be large.
  @Test
  void readsOneRowAtATimeOfHoldersWithoutFingerprints() {
    var jobs = new ArrayList<JobId>();
    var holders = new HashMap<String, KeyHolder>();
    for (var key : List.of("a", "b", "c")) {
      jobs.add(cancelled(JobSamples.withKey(key, 1)));
      holders.put(key, new KeyHolder(jobs.getLast().value(), key, null, true));
    }
    store.holdLookups();
    submit(JobSamples.withKey("first", 1));
    List.of("a", "b", "c").forEach(key -> submit(JobSamples.withKey(key, 1)));
    store.nextKeys().go();
    submitter.expectMessageClass(SubmitReply.Accepted.class);
    store.nextKeys().answer(holders);
    int before = store.finds();

    for (int answered = 1; answered <= 3; answered++) {
      var find = store.nextFind();
      assertThat(store.finds()).isLessThanOrEqualTo(before + answered);
      find.go();
      assertThat(submitter.expectMessageClass(SubmitReply.Existing.class).job()).isIn(jobs);
    }
  }

  @Test
  void asksAgainWhoHasAKeyWhoseHolderIsForgottenMeanwhile() {
    var job = cancelled(JobSamples.withKey("k", 1));
    store.holdLookups();
    submit(JobSamples.withKey("k", 1));
    store.nextKeys().answer(Map.of("k", new KeyHolder(job.value(), "k", null, true)));
    var find = store.nextFind();
    BoundedWaits.get(store.forget(Instant.now().plusSeconds(3_600), 10));
    find.go();
    store.nextKeys().go();

    submitter.expectMessageClass(SubmitReply.Accepted.class);
  }

  private static HistoryRow damaged(JobId job) {
    return new HistoryRow(
        job.value(),
        "job",
        "cancelled",
        "t",
        "q",
        "k",
        null,
        "",
        0,
        JobSamples.NOW,
        JobSamples.NOW,
        new byte[] {1, 2, 3});
  }

  @Test
  void doesNotOpenAJobWhoseKeyBelongsToAnotherOneByNow() {
    var job = cancelled(JobSamples.withKey("k", 1));
    var row = BoundedWaits.get(store.find(job.value()));
    store.holdLookups();
    ask(job, new JobCommand.Retry("me"));
    var late = store.nextFind();
    BoundedWaits.get(store.forget(Instant.now().plusSeconds(3_600), 10));
    submit(JobSamples.withKey("k", 2));
    store.nextKeys().go();
    submitter.expectMessageClass(SubmitReply.Accepted.class);

    late.answer(row);

    assertThat(asker.expectMessageClass(JobReply.Declined.class).reason()).contains("\"k\"");
  }

  @Test
  void opensAJobOnceHoweverManyAskForItAtOnce() {
    var job = cancelled(JobSamples.spec());
    store.holdLookups();
    ask(job, new JobCommand.Retry("me"));
    ask(job, new JobCommand.Retry("you"));
    ask(job, new JobCommand.Retry("them"));

    store.nextFind().go();

    asker.expectMessageClass(JobReply.Done.class);
    asker.expectMessageClass(JobReply.Declined.class);
    asker.expectMessageClass(JobReply.Declined.class);
    store.release();
    assertThat(state(job).status(JobSamples.NOW.plusSeconds(1_000_000_000)))
        .isEqualTo(JobStatus.QUEUED);
  }

  @Test
  void opensAJobWhoseActorIsOnItsWayOut() {
    for (int i = 0; i < 50; i++) {
      var job = accepted(JobSamples.spec());

      for (int round = 0; round < 2; round++) {
        ask(job, new JobCommand.Cancel("a test", "me"));
        asker.expectMessageClass(JobReply.Done.class);
        ask(job, new JobCommand.Retry("me"));
        asker.expectMessageClass(JobReply.Done.class);
      }
    }
  }

  @Test
  void leavesAJobEndedThatCouldNotBeOpened() {
    var job = cancelled(JobSamples.withKey("k", 1));
    store.holdWrites();
    ask(job, new JobCommand.Retry("me"));
    ask(job, new JobCommand.Retry("you"));

    store.nextWrite().answer(new WriteResult.Refused("no"));
    asker.expectMessageClass(JobReply.Refused.class);
    store.nextWrite().go();

    asker.expectMessageClass(JobReply.Done.class);
    store.release();
    ask(job, new JobCommand.Cancel("a test", "me"));
    asker.expectMessageClass(JobReply.Done.class);
    submit(JobSamples.withKey("k", 1));
    submitter.expectMessage(new SubmitReply.Existing(job));
  }

  @Test
  void boundsWhatWaitsForALookUp() {
    store.holdLookups();
    var job = JobSamples.newId(0);
    for (int i = 0; i < 7; i++) {
      send(job, new Job.Get(asker.ref().narrow()));
    }
    asker.expectMessageClass(StateReply.Unavailable.class);
    asker.expectMessageClass(StateReply.Unavailable.class);

    store.nextFind().go();

    for (int i = 0; i < 5; i++) {
      asker.expectMessage(new StateReply.NotFound(job));
    }
  }

  @Test
  void answersWhileHistoryCannotBeAsked() {
    store.holdLookups();
    var job = JobSamples.newId(0);
    ask(job, new JobCommand.Cancel("a test", "me"));

    store
        .nextFind()
        .fail(new java.util.concurrent.CompletionException(new IllegalStateException("gone")));

    assertThat(asker.expectMessageClass(JobReply.Unavailable.class).reason()).isEqualTo("gone");
  }

  @Test
  void makesAJobAnewWhoseActorHasFailed() {
    var job = accepted(JobSamples.withKey("k", 1));

    poison(job);

    assertThat(state(job).id()).isEqualTo(job);
    ask(job, new JobCommand.Cancel("a test", "me"));
    asker.expectMessageClass(JobReply.Done.class);
    submit(JobSamples.withKey("k", 1));
    submitter.expectMessage(new SubmitReply.Existing(job));
  }

  @Test
  void failsAJobWhoseActorFailsThreeTimesInARow() {
    var job = accepted(JobSamples.spec());

    for (int i = 0; i < CrashCounter.MOST; i++) {
      poison(job);
    }

    send(job, new Job.Watch(asker.ref().narrow()));
    var ended = asker.expectMessageClass(WatchReply.Ended.class).state();
    assertThat(ended.phase())
        .isInstanceOfSatisfying(
            JobPhase.Failed.class,
            failed -> {
              assertThat(failed.error().type()).isEqualTo("actor-failed");
              assertThat(failed.error().message()).contains("3 times").contains("Exception");
            });
  }

  @Test
  void forgetsFailuresOfAJobThatHasGotOnSince() {
    var job = cancelled(JobSamples.spec());
    for (int i = 0; i < 4; i++) {
      ask(job, new JobCommand.Retry("me"));
      asker.expectMessageClass(JobReply.Done.class);
      poison(job);
      poison(job);
      ask(job, new JobCommand.Cancel("a test", "me"));
      asker.expectMessageClass(JobReply.Done.class);
    }
  }

  @Test
  void leavesAJobAloneWhoseActorCannotEvenGiveItUp() {
    var job = accepted(JobSamples.withKey("k", 1));
    clock.broken = true;
    for (int i = 0; i < CrashCounter.MOST; i++) {
      ask(job, new JobCommand.Cancel("a test", "me"));
      asker.expectMessageClass(JobReply.Unavailable.class);
    }

    BoundedWaits.until(
        "it is left alone",
        () -> {
          send(job, new Job.Get(asker.ref().narrow()));
          return asker.receiveMessage()
                  instanceof StateReply.Unavailable(var id, var why, var after)
              && why.contains("until the engine is started again");
        });
    submit(JobSamples.withKey("k", 1));
    submitter.expectMessageClass(SubmitReply.Unavailable.class);
  }

  @Test
  void findsAChildThatWasAcceptedWhileItsParentsActorFailed() {
    var parent = accepted(JobSamples.spec());
    var worker = actors.probe(WorkerOrder.class);
    var pool = actors.probe(WorkerPool.Command.class);
    dispatcher.tell(new PoolMessage.Register(new PoolId("p"), Set.of(), 1, 0, true, pool.ref()));
    pool.expectMessageClass(WorkerPool.Registered.class);
    send(parent, new Job.Claim(new WorkerCredit(new PoolId("p"), 1, "w", worker.ref())));
    worker.expectMessageClass(WorkerOrder.Run.class);
    store.holdWrites();
    send(parent, new Job.AddChild(1, JobSamples.withKey("c", 1), asker.ref().narrow()));
    var birth = store.nextWrite();
    send(parent, new Job.Get(null));
    asker.expectMessageClass(ChildReply.Unavailable.class);

    birth.go();
    store.release();

    assertThat(state(parent).trail().children()).hasSize(1);
    var child = state(parent).trail().children().getFirst().id();
    assertThat(state(child).spec().origin().parent()).isEqualTo(parent);
    ask(child, new JobCommand.Cancel("a test", "me"));
    asker.expectMessageClass(JobReply.Done.class);
  }

  @Test
  void leavesAJobEndedWhoseActorFailedWhileItWasOpened() {
    var job = cancelled(JobSamples.withKey("k", 1));
    store.holdWrites();
    ask(job, new JobCommand.Retry("me"));
    var opening = store.nextWrite();
    send(job, new Job.Get(null));
    asker.expectMessageClass(JobReply.Unavailable.class);

    opening.answer(new WriteResult.Refused("no"));

    assertThat(state(job).ended()).isTrue();
    store.release();
    submit(JobSamples.withKey("k", 1));
    submitter.expectMessage(new SubmitReply.Existing(job));
  }

  @Test
  void asksTheLedgerAgainThatIsTooBusyToSayWhereAJobStands() {
    var job = accepted(JobSamples.spec());
    store.holdWrites();
    submit(JobSamples.spec());
    var write = store.nextWrite();
    fillTheBacklog(job);
    poison(job);
    send(job, new Job.Get(asker.ref().narrow()));
    asker.expectNoMessage(SETTINGS.ledger().retryAfter().multipliedBy(3));

    store.release();
    write.go();

    assertThat(asker.expectMessageClass(StateReply.Found.class).state().id()).isEqualTo(job);
  }

  /// Fills the backlog until even a query for a live job is refused.
  private void fillTheBacklog(JobId live) {
    var nobody = JobSamples.newId(0).value();
    var part = new byte[(int) (SETTINGS.ledger().backlog() / 8) - 256];
    var fact = new Fact(nobody, new JobFact.Released(JobSamples.NOW), part);
    for (int i = 0; i < 8; i++) {
      ledger.tell(append(live.value(), List.of(fact), ignored -> {}));
    }
    var answers = new LinkedBlockingQueue<Ledger.Reply>();
    ledger.tell(append(live.value(), List.of(), answers::add));
    assertThat(BoundedWaits.take(answers)).isInstanceOf(Ledger.Unavailable.class);
  }

  private static Ledger.Append append(String entity, List<Fact> facts, Ledger.Sender sender) {
    return new Ledger.Append(entity, facts, List.of(), List.of(), sender);
  }

  @Test
  void keepsMessagesWhileAJobIsMadeAnew() {
    var job = accepted(JobSamples.spec());
    store.holdWrites();
    var other = submit(JobSamples.spec());
    var write = store.nextWrite();
    poison(job);

    for (int i = 0; i < 7; i++) {
      send(job, new Job.Get(asker.ref().narrow()));
    }
    asker.expectMessageClass(StateReply.Unavailable.class);
    asker.expectMessageClass(StateReply.Unavailable.class);
    write.go();

    submitter.expectMessage(new SubmitReply.Accepted(other));
    for (int i = 0; i < 5; i++) {
      assertThat(asker.expectMessageClass(StateReply.Found.class).state().id()).isEqualTo(job);
    }
  }

  @Test
  void turnsEverythingAwayThatComesBeforeItIsReadBackAndIsTooMuch() {
    store.holdTakeOvers();
    var early = actors.spawn(behavior());
    var takeOver = store.nextTakeOver();
    for (int i = 0; i < PartitionEnvironment.STASH; i++) {
      early.tell(new Partition.Submit(JobSamples.newId(0), JobSamples.spec(), submitter.ref()));
    }
    var listings = actors.probe(Partition.Listing.class);
    var stray = JobSamples.newId(0);

    early.tell(new Partition.Submit(JobSamples.newId(0), JobSamples.spec(), submitter.ref()));
    early.tell(new Partition.Deliver(new JobEnvelope(stray, new Job.Get(asker.ref().narrow()))));
    early.tell(
        new Partition.ListLive(
            new JobQuery(null, null, null, null, null, null, 10), listings.ref()));
    var plan = new PlanId(stray.value());
    var planner = actors.probe(PlanReply.class);
    early.tell(new Partition.SubmitPlan(plan, DRAFT, planner.ref()));
    early.tell(new Partition.DeliverPlan(new PlanEnvelope(plan, new Plan.Get(planner.ref()))));
    early.tell(new Partition.ListPlans(new PlanQuery(null, 10), listings.ref()));

    submitter.expectMessageClass(SubmitReply.Unavailable.class);
    asker.expectMessageClass(StateReply.Unavailable.class);
    listings.expectMessageClass(Partition.NotListed.class);
    planner.expectMessageClass(PlanReply.Unavailable.class);
    planner.expectMessageClass(PlanReply.Unavailable.class);
    listings.expectMessageClass(Partition.NotListed.class);
    takeOver.go();
    submitter
        .receiveSeveralMessages(PartitionEnvironment.STASH)
        .forEach(reply -> assertThat(reply).isInstanceOf(SubmitReply.Accepted.class));
    actors.stop(early);
  }

  @Test
  void givesALateMessageToTheJobThatWasSubmittedMeanwhile() {
    store.holdLookups();
    var id = JobSamples.newId(0);
    send(id, new Job.Get(asker.ref().narrow()));
    var lookUp = store.nextFind();
    partition.tell(new Partition.Submit(id, JobSamples.spec(), submitter.ref()));
    submitter.expectMessage(new SubmitReply.Accepted(id));

    lookUp.go();

    assertThat(asker.expectMessageClass(StateReply.Found.class).state().id()).isEqualTo(id);
  }

  @Test
  void saysSoWhenTheRowOfAKeyBelongsToAnotherJob() {
    var job = cancelled(JobSamples.withKey("k", 1));
    var other = cancelled(JobSamples.withKey("l", 1));
    var row = BoundedWaits.get(store.find(job.value())).orElseThrow();
    store.holdLookups();
    send(other, new Job.Get(asker.ref().narrow()));
    store.nextFind().answer(Optional.of(RewrittenRow.id(row, other.value())));

    assertThat(asker.expectMessageClass(StateReply.Unavailable.class).reason())
        .contains("job " + other + " cannot be read")
        .contains("it is not the state of this job");
  }

  @Test
  void goesDownWithoutItsDispatcher() {
    actors.kill(dispatcher);

    assertThat(engine.expectMessageClass(Engine.PartitionDown.class).reason())
        .isEqualTo("a part of partition 0 is gone");
    actors.probe(Object.class).expectTerminated(partition);
  }

  @Test
  void goesDownWhenItWasTakenOver() {
    BoundedWaits.get(store.takeOver(0, "somebody else"));

    submit(JobSamples.spec());

    assertThat(engine.expectMessageClass(Engine.PartitionDown.class).reason())
        .contains("partition 0 was taken over by somebody else");
    actors.probe(Object.class).expectTerminated(partition);
  }

  /// The write is held until both queries are sent, so that the ledger answers them together.
  @Test
  void givesAJobOneActorHoweverOftenItsActorFails() {
    var job = accepted(JobSamples.spec());
    var actor = ChildActors.of(partition).getFirst();
    store.holdWrites();
    submit(JobSamples.spec());
    var write = store.nextWrite();
    int before = ChildActors.of(partition).size();
    var crashed = new PartitionNotice.Crashed(job, Adapter.toTyped(actor), "two Errors");
    partition.tell(new Partition.JobSays(crashed));
    partition.tell(new Partition.JobSays(crashed));
    var unknown = JobSamples.newId(0);
    send(unknown, new Job.Get(asker.ref().narrow()));
    asker.expectMessage(new StateReply.NotFound(unknown));
    send(job, new Job.Get(asker.ref().narrow()));

    write.go();

    assertThat(asker.expectMessageClass(StateReply.Found.class).state().id()).isEqualTo(job);
    assertThat(state(job).id()).isEqualTo(job);
    assertThat(ChildActors.of(partition)).hasSize(before + 1);
  }

  @Test
  void goesDownWhenNobodyKnowsWhoWaitsForAJob() {
    partition.tell(new Partition.JobSays(PartitionNotice.Disorder.INSTANCE));

    actors.probe(Object.class).expectTerminated(partition);
  }
}
