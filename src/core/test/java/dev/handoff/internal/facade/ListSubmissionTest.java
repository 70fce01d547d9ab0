package dev.handoff.internal.facade;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.handoff.Handoff;
import dev.handoff.JobFilter;
import dev.handoff.JobHandle;
import dev.handoff.JobId;
import dev.handoff.JobRequest;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.Outcome;
import dev.handoff.StoreSettings;
import dev.handoff.Submission;
import dev.handoff.internal.engine.Engine;
import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.facade.start.EngineBuilder;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.SubmitReplies;
import dev.handoff.internal.job.SubmitReply;
import dev.handoff.internal.ledger.StoredFacts;
import dev.handoff.internal.store.KeyHolder;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.EngineHooks;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.StoreDirectory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Jobs that are submitted together")
class ListSubmissionTest {

  private static final String POISON = "poison";

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger questions = new AtomicInteger();
  private final Queue<List<Class<?>>> batches = new ConcurrentLinkedQueue<>();
  private Handoff handoff;

  /// Store that counts writes, and refuses batches that contain a certain word.
  private final class Watching extends StoreAround {
    Watching(Store inner) {
      super(inner);
    }

    @Override
    public CompletionStage<WriteResult> write(StoreBatch batch) {
      writes.incrementAndGet();
      batches.add(
          StoredFacts.in(batch.facts(), FactFolding.codec()).stream()
              .<Class<?>>map(stored -> stored.event().getClass())
              .toList());
      var words = new String(batch.facts(), StandardCharsets.ISO_8859_1);
      return words.contains(POISON)
          ? CompletableFuture.completedStage(new WriteResult.Refused("poisoned"))
          : super.write(batch);
    }

    @Override
    public CompletionStage<Map<String, KeyHolder>> findKeys(Collection<String> asked) {
      questions.incrementAndGet();
      return super.findKeys(asked);
    }
  }

  @BeforeEach
  void start() {
    handoff = builder().store(home.store()).around(Watching::new).partitions(2).start();
  }

  private EngineBuilder builder() {
    return EngineBuilder.withOwnSystem().handler("t", Json.class, (payload, job) -> payload);
  }

  /// Starts an engine with one partition, a small backlog and a paused queue.
  private HeldStore startHeld() {
    handoff.close();
    var held = new AtomicReference<HeldStore>();
    handoff =
        builder()
            .store(new StoreSettings.Memory())
            .around(
                inner -> {
                  held.set(new HeldStore(inner));
                  return held.get();
                })
            .partitions(1)
            .set("ledger.max-append", "1MiB")
            .set("ledger.backlog", "2MiB")
            .set("ledger.retry-after", "20ms")
            .start();
    BoundedWaits.get(handoff.queues().pause("default"));
    return held.get();
  }

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  private static JobRequest job(int number) {
    return JobRequest.of("t", "payload " + number);
  }

  private static List<JobRequest> jobs(int count) {
    return IntStream.range(0, count).mapToObj(ListSubmissionTest::job).toList();
  }

  private List<Submission> submit(List<JobRequest> requests) {
    return BoundedWaits.get(handoff.submit(requests));
  }

  private static JobHandle accepted(Submission answer) {
    return ((Submission.Accepted) answer).handle();
  }

  private static String result(JobHandle job) {
    return ((Outcome.Succeeded) BoundedWaits.get(job.result())).value().toString();
  }

  @Test
  void areAnsweredInTheirOrderAndRun() {
    var answers = submit(jobs(500));

    for (int i = 0; i < 500; i++) {
      assertThat(result(accepted(answers.get(i)))).contains("payload " + i + "\"");
    }
  }

  @Test
  void areOneAppendForEachPartition() {
    BoundedWaits.get(handoff.queues().pause("default"));
    writes.set(0);

    var answers = submit(jobs(500));

    assertThat(answers).hasSize(500).allMatch(Submission.Accepted.class::isInstance);
    assertThat(writes).hasValue(2);
    // A job is accepted before its dispatcher knows it.
    BoundedWaits.until(
        "all of them are queued",
        () -> BoundedWaits.get(handoff.queues().list()).getFirst().queued() == 500);
  }

  @Test
  void withKeysAreOneQuestionAndOneAppendForEachPartition() {
    BoundedWaits.get(handoff.queues().pause("default"));
    writes.set(0);
    var requests = IntStream.range(0, 500).mapToObj(i -> job(i).key("k" + i)).toList();

    var answers = submit(requests);

    assertThat(answers).hasSize(500).allMatch(Submission.Accepted.class::isInstance);
    assertThat(writes).hasValue(2);
    assertThat(questions).hasValue(2);
    var again = submit(requests);
    for (int i = 0; i < 500; i++) {
      assertThat(((Submission.Existing) again.get(i)).handle().id())
          .isEqualTo(accepted(answers.get(i)).id());
    }
  }

  @Test
  void areClaimedInTheCommitThatAcceptsThemWhileWorkersAreAtHand() {
    BoundedWaits.until(
        "two were claimed at once",
        () -> {
          batches.clear();
          submit(List.of(job(0), job(1).key("key " + System.nanoTime())))
              .forEach(answer -> result(accepted(answer)));
          return batches.stream()
                  .filter(List.of(JobFact.Submitted.class, JobFact.Claimed.class)::equals)
                  .count()
              == 2;
        });
  }

  /// Far more jobs than the store's backlog can hold.
  @Test
  void areAllAcceptedHoweverManyTheyAre() {
    startHeld();
    var large = IntStream.range(0, 300).mapToObj(i -> JobRequest.of("t", "x".repeat(50_000)));
    var small = IntStream.range(0, 15_000).mapToObj(i -> i % 3 == 0 ? job(i).key("k" + i) : job(i));

    var answers = submit(Stream.concat(large, small).toList());

    assertThat(answers).hasSize(15_300).allMatch(Submission.Accepted.class::isInstance);
    var ids = answers.stream().map(answer -> accepted(answer).id()).collect(Collectors.toSet());
    assertThat(ids).hasSize(15_300);
  }

  @Test
  void leaveRoomForOthersWhileTheyAreOnTheirWay() {
    var store = startHeld();
    store.holdWrites();
    var list = handoff.submit(jobs(10_000));
    var first = store.nextWrite();
    var single = handoff.submit(job(-1)).toCompletableFuture();

    first.go();
    store.nextWrite().go();
    store.nextWrite().go();

    assertThat(BoundedWaits.get(single)).isInstanceOf(Submission.Accepted.class);
    assertThat(list.toCompletableFuture()).isNotDone();
    store.release();
    assertThat(BoundedWaits.get(list))
        .hasSize(10_000)
        .allMatch(Submission.Accepted.class::isInstance);
  }

  /// Payload that counts how often it is serialized.
  public record Counted(AtomicInteger reads, int number) {
    public int getRead() {
      return reads.incrementAndGet();
    }

    @Override
    @JsonIgnore
    public AtomicInteger reads() {
      return reads;
    }
  }

  @Test
  void areReadWhenTheirPartIsDue() {
    var store = startHeld();
    store.holdWrites();
    var reads = new AtomicInteger();
    var requests =
        IntStream.range(0, 10_000)
            .mapToObj(i -> JobRequest.of("t", new Counted(reads, i)))
            .toList();

    var list = handoff.submit(requests);
    store.nextWrite().go();
    store.nextWrite();

    assertThat(reads.get()).isBetween(2_000, 3_001);
    store.close();
    handoff.close();
    BoundedWaits.get(list);
  }

  /// A text that is no JSON at all must not be taken for a fault of the whole list.
  @Test
  void areRefusedAloneWhereTheirPayloadIsEmpty() {
    var good = JobRequest.of("t", Json.of("1"));
    var answers =
        BoundedWaits.get(handoff.submit(List.of(good, JobRequest.of("t", Json.of("")), good)));

    assertThat(answers.get(0)).isInstanceOf(Submission.Accepted.class);
    assertThat(((Submission.Invalid) answers.get(1)).problems().getFirst()).contains("empty");
    assertThat(answers.get(2)).isInstanceOf(Submission.Accepted.class);
    assertThat(BoundedWaits.get(handoff.submit(JobRequest.of("t", Json.of(" ")))))
        .isInstanceOf(Submission.Invalid.class);
  }

  @Test
  void areTriedAgainWhileTheStoreDoesNotKeepUp() {
    var store = startHeld();
    var known = handoff.submitOrThrow(job(0));
    store.holdWrites();
    var others = IntStream.range(0, 100).mapToObj(i -> handoff.submit(large())).toList();
    var write = store.nextWrite();
    BoundedWaits.until(
        "there is no room",
        () -> BoundedWaits.get(handoff.submit(large())) instanceof Submission.Unavailable);
    var list = handoff.submit(List.of(large(), large()));
    // These calls arrive after the list, at the partition and at the ledger.
    BoundedWaits.get(handoff.job(known.id()));
    assertThat(BoundedWaits.get(handoff.submit(large())))
        .isInstanceOf(Submission.Unavailable.class);

    store.release();
    write.go();

    assertThat(BoundedWaits.get(list)).hasSize(2).allMatch(Submission.Accepted.class::isInstance);
    others.forEach(BoundedWaits::get);
  }

  /// A retry could create a second job.
  @Test
  void areNotTriedAgainWhenNobodyKnowsWhetherTheyWereAccepted() {
    var soon = Duration.ofMillis(1);
    var parts = new ConcurrentLinkedQueue<Integer>();
    var gateway =
        gateway(
            asked -> {
              parts.add(asked.specs().size());
              var accepted = new SubmitReply.Accepted(new JobId("01KJMMA2G004ABYQ76A97TVZ00"));
              return parts.size() == 1
                  ? List.of(
                      new SubmitReply.Unknown("it failed", soon),
                      new SubmitReply.Unavailable("it is full", soon),
                      accepted)
                  : List.of(accepted);
            });

    var answers = BoundedWaits.get(submit(inside(gateway), jobs(3), EngineCalls.PATIENCE));

    assertThat(parts).containsExactly(3, 1);
    assertThat(((Submission.Unavailable) answers.get(0)).reason()).isEqualTo("it failed");
    assertThat(answers.get(1)).isInstanceOf(Submission.Accepted.class);
    assertThat(answers.get(2)).isInstanceOf(Submission.Accepted.class);
  }

  private ActorRef<Gateway.Command> gateway(
      Function<Gateway.SubmitBatch, List<SubmitReply>> answering) {
    return EngineHooks.running(handoff)
        .system()
        .systemActorOf(
            Behaviors.receiveMessage(
                (Gateway.Command message) -> {
                  var asked = (Gateway.SubmitBatch) message;
                  asked.replyTo().tell(new SubmitReplies(answering.apply(asked)));
                  return Behaviors.same();
                }),
            "gateway-of-a-test",
            Props.empty());
  }

  /// Engine with one partition, behind this gateway.
  private RunningEngine inside(ActorRef<Gateway.Command> gateway) {
    var real = EngineHooks.running(handoff);
    var doors = real.doors();
    return new RunningEngine(
        real.system(),
        real.own(),
        real.guardian(),
        new Engine.Ready(
            gateway,
            doors.partitions().subList(0, 1),
            doors.queues(),
            doors.events(),
            doors.guarded(),
            doors.assembler(),
            doors.blobs(),
            doors.questions(),
            doors.interrupted()),
        real.store(),
        real.submissions(),
        real.settings(),
        real.calls(),
        real.streams());
  }

  private static JobRequest large() {
    return JobRequest.of("t", "x".repeat(50_000));
  }

  @Test
  void areAcceptedOrRefusedEachOnItsOwn() {
    var known = handoff.submitOrThrow(job(1).key("known"));

    var answers =
        submit(
            List.of(
                job(0),
                JobRequest.of("nobody knows it"),
                job(1).key("known"),
                job(2).key("known"),
                job(3).key("new"),
                job(3).key("new"),
                job(4).maxAttempts(0),
                job(5)));

    assertThat(answers.get(0)).isInstanceOf(Submission.Accepted.class);
    assertThat(answers.get(1)).isInstanceOf(Submission.UnknownType.class);
    assertThat(((Submission.Existing) answers.get(2)).handle().id()).isEqualTo(known.id());
    assertThat(answers.get(3)).isInstanceOf(Submission.KeyConflict.class);
    assertThat(answers.get(4)).isInstanceOf(Submission.Accepted.class);
    assertThat(((Submission.Existing) answers.get(5)).handle().id())
        .isEqualTo(accepted(answers.get(4)).id());
    assertThat(answers.get(6)).isInstanceOf(Submission.Invalid.class);
    assertThat(result(accepted(answers.get(7)))).contains("payload 5");
  }

  @Test
  void doNotSufferFromOneThatTheStoreRefuses() {
    var requests =
        IntStream.range(0, 50)
            .mapToObj(i -> i == 17 ? JobRequest.of("t", POISON) : job(i))
            .toList();

    var answers = submit(requests);

    for (int i = 0; i < 50; i++) {
      assertThat(answers.get(i))
          .as("job " + i)
          .isInstanceOf(i == 17 ? Submission.Refused.class : Submission.Accepted.class);
    }
  }

  @Test
  void areSplitIfTheyAreTooLargeForOneAppend() {
    var large = JobRequest.of("t", "x".repeat(200 * 1024));

    var answers = submit(IntStream.range(0, 60).mapToObj(i -> large).toList());

    assertThat(answers).hasSize(60).allMatch(Submission.Accepted.class::isInstance);
  }

  @Test
  void areThereAfterARestart() {
    BoundedWaits.get(handoff.queues().pause("default"));
    submit(jobs(100));
    handoff.close();

    start();

    var queued = new JobFilter(JobStatus.QUEUED, null, null, null, null);
    assertThat(BoundedWaits.get(handoff.jobs(queued, Optional.empty(), 200)).jobs()).hasSize(100);
  }

  @Test
  void areAnsweredWhenTheEngineHasEnded() {
    handoff.close();

    assertThat(submit(jobs(3))).hasSize(3).allMatch(Submission.Unavailable.class::isInstance);
  }

  @Test
  void areAnsweredWhenTheEngineEndsWhileTheyAreOnTheirWay() {
    var store = startHeld();
    store.holdWrites();
    var list = handoff.submit(jobs(5_000));
    store.nextWrite().go();
    store.nextWrite();

    handoff.close();

    var answers = BoundedWaits.get(list);
    assertThat(answers.subList(0, 1_000)).allMatch(Submission.Accepted.class::isInstance);
    assertThat(answers.subList(1_000, 5_000)).allMatch(Submission.Unavailable.class::isInstance);
  }

  @Test
  void areAnsweredWhenTheEngineEndsWhileTheyWaitForRoom() {
    var store = startHeld();
    store.goAway();
    for (int i = 0; i < 100; i++) {
      handoff.submit(large());
    }
    BoundedWaits.until(
        "there is no room",
        () -> BoundedWaits.get(handoff.submit(large())) instanceof Submission.Unavailable);
    var list = handoff.submit(jobs(3_000));
    // These calls ensure that the first part was refused and waits for its retry.
    for (int i = 0; i < 20; i++) {
      BoundedWaits.get(handoff.submit(large()));
    }

    handoff.close();

    assertThat(BoundedWaits.get(list))
        .hasSize(3_000)
        .allMatch(Submission.Unavailable.class::isInstance);
  }

  @Test
  void areGivenUpWhenNothingIsTakenForLong() {
    var store = startHeld();
    store.goAway();
    for (int i = 0; i < 100; i++) {
      handoff.submit(large());
    }
    BoundedWaits.until(
        "there is no room",
        () -> BoundedWaits.get(handoff.submit(large())) instanceof Submission.Unavailable);

    var answers =
        BoundedWaits.get(submit(EngineHooks.running(handoff), jobs(3_000), Duration.ofMillis(300)));

    assertThat(answers).hasSize(3_000).allMatch(Submission.Unavailable.class::isInstance);
    assertThat(((Submission.Unavailable) answers.get(0)).reason())
        .isEqualTo("the store does not keep up");
    assertThat(((Submission.Unavailable) answers.get(2_999)).reason())
        .isEqualTo(
            "not submitted, because of jobs before it in the list: the store does not keep up");
  }

  private CompletionStage<List<Submission>> submit(
      RunningEngine inside, List<JobRequest> requests, Duration patience) {
    var answers = new JobAnswers(new JobCalls(inside));
    return new ListSubmission(inside, answers::submission, requests, patience).submit();
  }

  @Test
  void mayBeNone() {
    assertThat(submit(List.of())).isEmpty();
  }

  @Test
  void fromAStreamAreAcceptedInTheirOrder() {
    var accepted =
        Source.from(jobs(3_000))
            .via(handoff.submitAll())
            .runWith(Sink.seq(), handoff.materializer());

    var jobs = BoundedWaits.get(accepted);

    assertThat(jobs).hasSize(3_000);
    assertThat(result(jobs.get(0).handle())).contains("payload 0\"");
    assertThat(result(jobs.get(1_234).handle())).contains("payload 1234\"");
    assertThat(result(jobs.get(2_999).handle())).contains("payload 2999\"");
  }
}
