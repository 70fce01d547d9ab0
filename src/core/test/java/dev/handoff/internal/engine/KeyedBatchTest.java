package dev.handoff.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.handoff.JobId;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.StoreSettings;
import dev.handoff.internal.dispatch.Queues;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobReply;
import dev.handoff.internal.job.JobSituations;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.job.SubmitReplies;
import dev.handoff.internal.job.SubmitReply;
import dev.handoff.internal.ledger.LedgerEnvironment;
import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.internal.plan.ApplyRunner;
import dev.handoff.internal.plan.PlanEnvironment;
import dev.handoff.internal.store.KeyHolder;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A batch of jobs with keys")
class KeyedBatchTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final TestProbe<Engine.Command> engine = actors.probe(Engine.Command.class);
  private final TestProbe<SubmitReply> single = actors.probe(SubmitReply.class);
  private final TestProbe<SubmitReplies> submitter = actors.probe(SubmitReplies.class);
  private final TestProbe<WireMessage> asker = actors.probe(WireMessage.class);
  private static final WriteResult AWAY =
      new WriteResult.Away("the line is dead", Duration.ofMillis(1));

  private volatile Random mood;
  private final AtomicInteger questions = new AtomicInteger();
  private final AtomicInteger writes = new AtomicInteger();
  private HeldStore store;
  private ActorRef<Partition.Command> partition;

  /// Store that counts queries and writes, and sometimes fails at random if the test sets a mood.
  private final class Counting extends StoreAround {
    /// Batch that is written but was not acknowledged.
    private volatile long written = -1;

    Counting(Store inner) {
      super(inner);
    }

    @Override
    public CompletionStage<Map<String, KeyHolder>> findKeys(Collection<String> asked) {
      questions.incrementAndGet();
      return mood() == 0
          ? CompletableFuture.failedStage(new IllegalStateException("gone for lunch"))
          : super.findKeys(asked);
    }

    @Override
    public CompletionStage<WriteResult> write(StoreBatch batch) {
      writes.incrementAndGet();
      return switch (batch.seq() == written ? -1 : mood()) {
        case 0 -> CompletableFuture.completedStage(new WriteResult.Refused("not today"));
        case 1 -> CompletableFuture.completedStage(AWAY);
        case 2 -> {
          written = batch.seq();
          yield super.write(batch).thenApply(unheard -> AWAY);
        }
        default -> super.write(batch);
      };
    }

    private int mood() {
      var random = mood;
      return random == null ? -1 : random.nextInt(8);
    }
  }

  private static EngineSettings settings(String more) {
    return EngineSettings.from(
        ConfigFactory.parseString("handoff.ledger.retry-after = 20ms\n" + more)
            .withFallback(ConfigFactory.defaultReference())
            .resolve()
            .getConfig("handoff"));
  }

  @BeforeEach
  void start() {
    start(settings(""));
  }

  private void start(EngineSettings engineSettings) {
    var settings =
        new StoreSettings(new StoreSettings.Memory(), 1, StoreSettings.Access.OWN, "the test");
    store = new HeldStore(new Counting(StoreOpener.open(settings)));
    var ledger =
        new LedgerEnvironment(
            store, FactFolding.codec(), FactFolding::fold, engineSettings.ledger(), Runnable::run);
    var peers =
        new PartitionEnvironment.Peers(
            engine.ref(),
            actors.probe(Queues.Command.class).ref(),
            actors.probe(EventBuffer.Command.class).ref(),
            new PlanEnvironment.Helpers(
                (owner, body) -> CompletableFuture.completedStage(owner.value()),
                actors.probe(ApplyRunner.Command.class).ref()));
    var environment =
        new PartitionEnvironment("me", ledger, engineSettings, InstantSource.system(), peers);
    partition = actors.spawn(Partition.create(0, environment));
    engine.expectMessageClass(Engine.Opened.class);
  }

  @AfterEach
  void stop() {
    actors.stop(partition);
    store.close();
  }

  private List<JobId> submit(JobSpec... specs) {
    return submit(List.of(specs), submitter.ref());
  }

  private List<JobId> submit(List<JobSpec> specs, ActorRef<SubmitReplies> replyTo) {
    var jobs = specs.stream().map(spec -> new Partition.NewJob(JobSamples.newId(0), spec)).toList();
    partition.tell(new Partition.SubmitBatch(jobs, replyTo));
    return jobs.stream().map(Partition.NewJob::id).toList();
  }

  private JobId submitAlone(JobSpec spec) {
    var id = JobSamples.newId(0);
    partition.tell(new Partition.Submit(id, spec, single.ref()));
    return id;
  }

  private List<SubmitReply> replies() {
    return submitter.expectMessageClass(SubmitReplies.class).replies();
  }

  private static SubmitReply accepted(JobId job) {
    return new SubmitReply.Accepted(job);
  }

  private static SubmitReply existing(JobId job) {
    return new SubmitReply.Existing(job);
  }

  private static JobSpec job(String key) {
    return JobSamples.withKey(key, 1);
  }

  private static JobSpec otherJob(String key) {
    return JobSamples.withKey(key, 2);
  }

  private void cancel(JobId job) {
    ask(job, new JobCommand.Cancel("a test", "me"));
    asker.expectMessageClass(JobReply.Done.class);
  }

  private void ask(JobId job, JobCommand command) {
    partition.tell(
        new Partition.Deliver(new JobEnvelope(job, JobSituations.message(command, asker.ref()))));
  }

  @Test
  void isOneQuestionToHistoryAndOneAppend() {
    var specs = IntStream.range(0, 500).mapToObj(i -> job("k" + i)).toList();

    var ids = submit(specs, submitter.ref());

    assertThat(replies()).isEqualTo(ids.stream().map(KeyedBatchTest::accepted).toList());
    assertThat(questions).hasValue(1);
    assertThat(writes).hasValue(1);
  }

  @Test
  void takesEqualKeysAsIfTheyCameOneAfterTheOther() {
    var ids = submit(job("k"), JobSamples.spec(), job("k"), otherJob("k"), job("l"), job("k"));

    assertThat(replies())
        .containsExactly(
            accepted(ids.get(0)),
            accepted(ids.get(1)),
            existing(ids.get(0)),
            new SubmitReply.KeyConflict(ids.get(0), "k"),
            accepted(ids.get(4)),
            existing(ids.get(0)));
  }

  @Test
  void findsWhatIsLiveAndWhatHasEnded() {
    var live = submitAlone(job("live"));
    single.expectMessage(accepted(live));
    var ended = submitAlone(job("ended"));
    single.expectMessage(accepted(ended));
    cancel(ended);

    var ids = submit(job("live"), job("ended"), otherJob("live"), otherJob("ended"), job("new"));

    assertThat(replies())
        .containsExactly(
            existing(live),
            existing(ended),
            new SubmitReply.KeyConflict(live, "live"),
            new SubmitReply.KeyConflict(ended, "ended"),
            accepted(ids.get(4)));
  }

  @Test
  void hasLaterSubmissionsOfItsKeysWaitForItsCommit() {
    store.holdWrites();
    var ids = submit(job("k"), job("l"));
    var write = store.nextWrite();
    submitAlone(job("k"));
    submitAlone(otherJob("k"));
    submit(job("l"), job("k"));
    submitAlone(JobSamples.spec());
    submitter.expectNoMessage(Duration.ofMillis(100));
    single.expectNoMessage(Duration.ZERO);

    store.release();
    write.go();

    assertThat(replies()).containsExactly(accepted(ids.get(0)), accepted(ids.get(1)));
    assertThat(replies()).containsExactly(existing(ids.get(1)), existing(ids.get(0)));
    assertThat(single.receiveSeveralMessages(3))
        .contains(existing(ids.get(0)), new SubmitReply.KeyConflict(ids.get(0), "k"));
  }

  @Test
  void waitsForASingleSubmissionOfItsKey() {
    store.holdWrites();
    var first = submitAlone(job("k"));
    var write = store.nextWrite();
    submit(job("k"), otherJob("k"));
    submitter.expectNoMessage(Duration.ofMillis(100));

    write.go();

    single.expectMessage(accepted(first));
    assertThat(replies()).containsExactly(existing(first), new SubmitReply.KeyConflict(first, "k"));
  }

  @Test
  void givesTheKeysOfARefusedJobBackAndKeepsTheOthers() {
    store.holdWrites();
    var ids = submit(job("bad"), job("good"), job("bad"));
    store.nextWrite().answer(new WriteResult.Refused("not these two"));
    submitAlone(job("bad"));
    store.nextWrite().answer(new WriteResult.Refused("not this one"));
    store.nextWrite().go();

    var replies = replies();
    assertThat(replies.get(0)).isEqualTo(new SubmitReply.Refused("not this one"));
    assertThat(replies.get(1)).isEqualTo(accepted(ids.get(1)));
    assertThat(replies.get(2)).isInstanceOf(SubmitReply.Unavailable.class);
    single.expectMessageClass(SubmitReply.Unavailable.class);
    store.release();
    single.expectMessage(accepted(submitAlone(otherJob("bad"))));
    submitAlone(job("good"));
    single.expectMessage(existing(ids.get(1)));
  }

  /// The store has written the batch but could not acknowledge it, so the ledger repeats it.
  @Test
  void isAcceptedOnceIfTheOutcomeOfItsAppendIsUnknown() {
    store.holdWrites();
    var ids = submit(job("k"), job("l"), job("k"));
    var write = store.nextWrite();
    BoundedWaits.get(write.work().get());
    write.answer(AWAY);
    submitAlone(otherJob("l"));
    submitter.expectNoMessage(Duration.ofMillis(100));

    store.nextWrite().go();

    assertThat(replies())
        .containsExactly(accepted(ids.get(0)), accepted(ids.get(1)), existing(ids.get(0)));
    single.expectMessage(new SubmitReply.KeyConflict(ids.get(1), "l"));
    store.release();
    partition.tell(
        new Partition.Deliver(new JobEnvelope(ids.get(0), new Job.Get(asker.ref().narrow()))));
    var found = asker.expectMessageClass(StateReply.Found.class).state();
    assertThat(found.status(JobSamples.NOW.plusSeconds(1_000_000_000))).isEqualTo(JobStatus.QUEUED);
  }

  @Test
  void isUnavailableWhileHistoryCannotBeAskedAndTakesNoKey() {
    store.holdLookups();
    submit(job("k"), job("l"), job("k"));
    store.nextKeys().fail(new IllegalStateException("gone for lunch"));

    assertThat(replies()).hasSize(3).allMatch(SubmitReply.Unavailable.class::isInstance);
    store.release();
    single.expectMessage(accepted(submitAlone(otherJob("k"))));
  }

  @Test
  void givesAKeyForWhichThereWasNoRoomToNoLaterJob() {
    stop();
    start(settings("handoff.ledger { batch-bytes = 2KiB, max-append = 2KiB, backlog = 8KiB }"));
    var large = Json.of("\"" + "x".repeat(10_000) + "\"");
    var first =
        new JobSpec("t", large, JobSpec.DEFAULT_QUEUE, 0, "k", null, JobOptions.DEFAULT, null);

    var ids = submit(first, job("k"), job("l"));

    var replies = replies();
    assertThat(replies.get(0)).isInstanceOf(SubmitReply.Unavailable.class);
    assertThat(replies.get(1)).isInstanceOf(SubmitReply.Unavailable.class);
    assertThat(replies.get(2)).isEqualTo(accepted(ids.get(2)));
    single.expectMessage(accepted(submitAlone(job("k"))));
  }

  @Test
  void holdsItsKeysUntilTheJobsAreGone() {
    var ids = submit(job("k"), job("l"));
    replies();
    cancel(ids.get(0));
    BoundedWaits.get(store.forget(Instant.now().plusSeconds(3_600), 10));

    BoundedWaits.until(
        "the key is free",
        () -> {
          submitAlone(otherJob("k"));
          return single.receiveMessage() instanceof SubmitReply.Accepted;
        });
    submitAlone(otherJob("l"));
    single.expectMessage(new SubmitReply.KeyConflict(ids.get(1), "l"));
  }

  /// Random batches and single submissions of a few keys, on a store that refuses, is unreachable,
  /// loses acknowledgements and fails queries at random.
  @Test
  void hasOneJobForEachKeyHoweverManyCompeteForIt() {
    long seed = ThreadLocalRandom.current().nextLong();
    System.out.println(getClass().getSimpleName() + ": seed " + seed);
    var random = new Random(seed);
    for (int round = 0; round < 30; round++) {
      var asked = new ArrayList<Asked>();
      mood = new Random(random.nextLong());
      for (int i = 0; i < 20; i++) {
        asked.add(askForSome(round, random));
      }
      asked.forEach(Asked::await);
      mood = null;
      for (int key = 0; key < 4; key++) {
        asked.add(ask(List.of(job("k%d-%d".formatted(round, key)))));
        asked.getLast().await();
      }
      check(asked);
    }
  }

  /// Submissions with their answers.
  private record Asked(
      List<JobSpec> specs,
      List<JobId> ids,
      Supplier<List<SubmitReply>> answer,
      List<SubmitReply> replies) {

    void await() {
      replies.addAll(answer.get());
      assertThat(replies).hasSameSizeAs(specs);
    }
  }

  private Asked askForSome(int round, Random random) {
    return ask(
        random
            .ints(random.nextInt(1, 8), 0, 8)
            .mapToObj(i -> JobSamples.withKey("k%d-%d".formatted(round, i / 2), 1 + i % 2))
            .toList());
  }

  /// Submits one spec alone, several as a batch.
  private Asked ask(List<JobSpec> specs) {
    if (specs.size() == 1) {
      var alone = actors.probe(SubmitReply.class);
      var id = JobSamples.newId(0);
      partition.tell(new Partition.Submit(id, specs.getFirst(), alone.ref()));
      return new Asked(
          specs, List.of(id), () -> List.of(alone.receiveMessage()), new ArrayList<>());
    }
    var together = actors.probe(SubmitReplies.class);
    var ids = submit(specs, together.ref());
    return new Asked(specs, ids, () -> together.receiveMessage().replies(), new ArrayList<>());
  }

  private static void check(List<Asked> asked) {
    var specs = new HashMap<JobId, JobSpec>();
    var holders = new HashMap<String, JobId>();
    for (var some : asked) {
      for (int i = 0; i < some.specs().size(); i++) {
        specs.put(some.ids().get(i), some.specs().get(i));
        if (some.replies().get(i) instanceof SubmitReply.Accepted(var job)) {
          assertThat(job).isEqualTo(some.ids().get(i));
          assertThat(holders.put(some.specs().get(i).key(), job)).as("an earlier holder").isNull();
        }
      }
    }
    for (var some : asked) {
      for (int i = 0; i < some.specs().size(); i++) {
        var spec = some.specs().get(i);
        var holder = holders.get(spec.key());
        switch (some.replies().get(i)) {
          case SubmitReply.Existing(var job) -> {
            assertThat(job).isEqualTo(holder);
            assertThat(specs.get(job).hasSameContent(spec)).isTrue();
          }
          case SubmitReply.KeyConflict(var job, var key) -> {
            assertThat(job).isEqualTo(holder);
            assertThat(specs.get(job).hasSameContent(spec)).isFalse();
          }
          case SubmitReply.Accepted here -> {}
          case SubmitReply.Refused not -> {}
          case SubmitReply.Unavailable now -> {}
          case SubmitReply.Unknown whether -> {}
        }
      }
    }
  }
}
