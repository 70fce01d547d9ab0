package dev.handoff.internal.facade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Backoff;
import dev.handoff.CancelHandle.CancelRequestAnswer;
import dev.handoff.CancelReport;
import dev.handoff.Handoff;
import dev.handoff.JobHandle;
import dev.handoff.JobId;
import dev.handoff.JobNotFoundException;
import dev.handoff.JobRequest;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.Outcome;
import dev.handoff.RetryAnswer;
import dev.handoff.Submission;
import dev.handoff.SubmissionRefusedException;
import dev.handoff.UnavailableException;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.facade.start.EngineBuilder;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.WatchReply;
import dev.handoff.internal.text.Ulid;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.BrokenRef;
import dev.handoff.testing.EngineHooks;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.OtherDoors;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A job")
class JobHandleTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.MEMORY);
  private final HeldHandler held = new HeldHandler();
  private HeldStore store;
  private Handoff handoff;

  @BeforeEach
  void start() {
    handoff =
        EngineBuilder.on(actors.system())
            .store(home.store())
            .around(inner -> store = new HeldStore(inner))
            .cancelling(Duration.ofMillis(10), Duration.ofSeconds(10))
            .shutdownGrace(Duration.ZERO)
            .set("ledger.retry-after", Duration.ofMillis(10))
            .handler("held", Json.class, held)
            .start();
  }

  @AfterEach
  void stop() {
    handoff.close();
  }

  private JobHandle submit() {
    return handoff.submitOrThrow(JobRequest.of("held").backoff(Backoff.none()));
  }

  private static JobId unknown() {
    return new JobId(new Ulid(new Random()).next(0, 1));
  }

  @Test
  void thatSucceedsGivesItsResult() throws Exception {
    var job = submit();
    held.next().succeed(List.of("a", "b"));

    var outcome = (Outcome.Succeeded) BoundedWaits.get(job.result());

    assertThat(outcome.as(String[].class)).containsExactly("a", "b");
    assertThat(BoundedWaits.get(job.ended()).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(job.toString()).isEqualTo(job.id().value());
  }

  @Test
  void tellsOfItsEndAlthoughThereIsNoMemoryForThatAtFirst() throws Exception {
    var tries = new AtomicInteger();
    var job = submit();
    var ended =
        new JobWatch<>(
                job.id(),
                EngineHooks.running(handoff),
                state -> {
                  if (tries.getAndIncrement() < 3) {
                    throw new OutOfMemoryError("at first");
                  }
                  return state.spec().type();
                })
            .start();

    held.next().succeed("done");

    assertThat(BoundedWaits.get(ended)).isEqualTo("held");
  }

  @Test
  void isAskedForItsEndAgainAlthoughThereIsNoMemoryForThatAtFirst() throws Exception {
    var gateway = BrokenRef.<Gateway.Command>full(actors.system());
    var job = submit();
    var inside = OtherDoors.through(gateway.typed(), EngineHooks.running(handoff));
    var ended = new JobWatch<>(job.id(), inside, state -> state.spec().type()).start();
    var asked = (Job.Watch) ((Gateway.Route) gateway.next()).message().command();

    gateway.breakDown(3);
    asked.replyTo().tell(new WatchReply.Unavailable(job.id(), "away", Duration.ZERO));

    EngineHooks.running(handoff).doors().gateway().tell((Gateway.Command) gateway.next());
    held.next().succeed("done");
    assertThat(BoundedWaits.get(ended)).isEqualTo("held");
  }

  @Test
  void isNoLongerAskedForItsEndWhenNobodyWaits() throws Exception {
    var gateway = BrokenRef.<Gateway.Command>full(actors.system());
    var job = submit();
    var inside = OtherDoors.through(gateway.typed(), EngineHooks.running(handoff));
    var ended = new JobWatch<>(job.id(), inside, state -> state.spec().type()).start();
    var asked = (Job.Watch) ((Gateway.Route) gateway.next()).message().command();

    ended.toCompletableFuture().cancel(false);

    var question = (InternalActorRef) Adapter.toClassic(asked.replyTo());
    assertThat(question.isTerminated()).isTrue();
  }

  @Test
  void thatFailsForGoodGivesItsError() {
    var job = handoff.submitOrThrow(JobRequest.of("held").maxAttempts(1));
    held.next().fail("no route to host");

    assertThat(BoundedWaits.get(job.result()))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.error().message()).isEqualTo("no route to host"));
  }

  @Test
  void canBeWatchedByManyAtOnce() {
    var job = submit();
    var attempt = held.next();
    var results =
        IntStream.range(0, 1_500).mapToObj(i -> job.result().toCompletableFuture()).toList();

    attempt.succeed(1);

    results.forEach(
        result ->
            assertThat(BoundedWaits.get(result)).isEqualTo(new Outcome.Succeeded(Json.of("1"))));
  }

  @Test
  void thatNeverWasIsNotFound() {
    var job = handoff.handle(unknown());

    assertThatThrownBy(() -> BoundedWaits.get(job.status()))
        .isInstanceOf(JobNotFoundException.class)
        .hasMessageContaining(job.id().value());
    assertThatThrownBy(() -> BoundedWaits.get(job.result()))
        .isInstanceOf(JobNotFoundException.class);
    assertThatThrownBy(() -> BoundedWaits.get(job.events().runWith(Sink.seq(), actors.system())))
        .isInstanceOf(JobNotFoundException.class);
    assertThat(BoundedWaits.get(handoff.job(job.id()))).isEmpty();
    assertThat(BoundedWaits.get(handoff.retry(job.id(), "me")))
        .isEqualTo(new RetryAnswer.NotFound(job.id()));
    var cancelling = job.cancel("why not");
    assertThat(BoundedWaits.get(cancelling.requested())).isEqualTo(CancelRequestAnswer.NOT_FOUND);
    assertThat(BoundedWaits.get(cancelling.ended())).isEqualTo(new CancelReport.NotFound(job.id()));
  }

  @Test
  void thatWaitsIsCancelledAtOnce() {
    var job = handoff.submitOrThrow(JobRequest.of("held").delay(Duration.ofDays(1)));

    var cancelling = job.cancel("not needed");

    assertThat(BoundedWaits.get(cancelling.requested())).isEqualTo(CancelRequestAnswer.REQUESTED);
    assertThat(BoundedWaits.get(cancelling.ended()))
        .isEqualTo(new CancelReport.Cancelled(job.id(), false, List.of()));
    assertThat(BoundedWaits.get(job.result()))
        .isEqualTo(new Outcome.Cancelled("not needed", false));
  }

  @Test
  void thatRunsIsCancelledInTwoStages() {
    var job = submit();
    var attempt = held.next();

    var cancelling = handoff.cancel(job.id(), "a mistake", "me");

    assertThat(BoundedWaits.get(cancelling.requested())).isEqualTo(CancelRequestAnswer.REQUESTED);
    assertThat(BoundedWaits.get(cancelling.ended()))
        .isEqualTo(new CancelReport.Cancelled(job.id(), false, List.of()));
    assertThat(attempt.job().cancellation().isCancelled()).isTrue();
    assertThat(BoundedWaits.get(job.cancel("again").requested()))
        .isEqualTo(CancelRequestAnswer.ALREADY_FINISHED);
    assertThat(BoundedWaits.get(job.cancel("again").ended()))
        .isEqualTo(new CancelReport.Already(job.id(), JobStatus.CANCELLED));
  }

  @Test
  void whoseResultComesAfterItsCancelIsReportedAsDiscarded() {
    var job = submit();
    var attempt = held.next();
    attempt.job().cancellation().onCancel(why -> attempt.succeed("too late"));

    assertThat(BoundedWaits.get(job.cancel("a mistake").ended()))
        .isEqualTo(new CancelReport.Cancelled(job.id(), true, List.of()));
  }

  @Test
  void thatHadEndedSaysSoToACancel() {
    var job = submit();
    held.next().succeed(1);
    BoundedWaits.get(job.result());

    var cancelling = job.cancel("too late");

    assertThat(BoundedWaits.get(cancelling.requested()))
        .isEqualTo(CancelRequestAnswer.ALREADY_FINISHED);
    assertThat(BoundedWaits.get(cancelling.ended()))
        .isEqualTo(new CancelReport.Already(job.id(), JobStatus.SUCCEEDED));
  }

  @Test
  void isOpenedAgainAsANewAttempt() {
    var job = submit();
    var first = held.next();
    BoundedWaits.get(job.cancel("a mistake").ended());

    assertThat(BoundedWaits.get(handoff.retry(job.id(), "me")))
        .isInstanceOfSatisfying(
            RetryAnswer.Reopened.class,
            reopened -> assertThat(reopened.handle().id()).isEqualTo(job.id()));
    var second = held.next();

    assertThat(second.job().attempt()).isEqualTo(2);
    assertThat(first.job().cancellation().isCancelled()).isTrue();
    assertThat(second.job().cancellation().isCancelled()).isFalse();
    BoundedWaits.until(
        "it runs", () -> BoundedWaits.get(job.status()).status() == JobStatus.RUNNING);
    assertThat(BoundedWaits.get(handoff.retry(job.id(), "me")))
        .isEqualTo(new RetryAnswer.NotPossible(job.id(), JobStatus.RUNNING));
    second.succeed(1);
    BoundedWaits.get(job.result());
    assertThat(BoundedWaits.get(handoff.retry(job.id(), "me")))
        .isEqualTo(new RetryAnswer.NotPossible(job.id(), JobStatus.SUCCEEDED));
  }

  @Test
  void isOpenedOnceWhenTwoAskForIt() {
    for (int i = 0; i < 20; i++) {
      var job = submit();
      held.next();
      BoundedWaits.get(job.cancel("a mistake").ended());

      var answers =
          List.of(handoff.retry(job.id(), "me"), handoff.retry(job.id(), "you")).stream()
              .map(CompletionStage::toCompletableFuture)
              .map(BoundedWaits::get)
              .toList();

      assertThat(answers).hasAtLeastOneElementOfType(RetryAnswer.Reopened.class);
      assertThat(answers).hasAtLeastOneElementOfType(RetryAnswer.NotPossible.class);
      assertThat(held.next().job().attempt()).isEqualTo(2);
      assertThat(held.waiting()).isZero();
      BoundedWaits.get(job.cancel("enough").ended());
    }
  }

  /// The attempt was abandoned and the job reopened: late reports of the old code are only
  /// recorded.
  @Test
  void thatWasOpenedAgainDoesNotListenToItsOldAttempt() {
    var goOn = new CompletableFuture<Void>();
    var begun = new CompletableFuture<Void>();
    handoff.close();
    handoff =
        EngineBuilder.on(actors.system())
            .store(StoreDirectory.of(StoreDirectory.Kind.MEMORY).store())
            .cancelling(Duration.ofMillis(10), Duration.ofMillis(20))
            .shutdownGrace(Duration.ZERO)
            .handler(
                "deaf",
                Json.class,
                (payload, job) -> {
                  if (job.attempt() > 1) {
                    return held.handle(payload, job);
                  }
                  begun.complete(null);
                  while (!goOn.isDone()) {
                    Thread.onSpinWait();
                  }
                  return "from the dead";
                })
            .start();
    var job = handoff.submitOrThrow(JobRequest.of("deaf"));
    BoundedWaits.get(begun);
    assertThat(BoundedWaits.get(job.cancel("enough").ended()))
        .isInstanceOf(CancelReport.Abandoned.class);
    BoundedWaits.get(handoff.retry(job.id(), "me"));
    var second = held.next();

    goOn.complete(null);
    BoundedWaits.until(
        "the late result is noted",
        () -> BoundedWaits.get(job.status()).attempts().getFirst().late().isPresent());
    second.succeed("alive");

    assertThat(BoundedWaits.get(job.result()))
        .isEqualTo(new Outcome.Succeeded(Json.of("\"alive\"")));
  }

  @Test
  void isAnsweredForAsUnavailableWhileHistoryIsAway() {
    var job = submit();
    held.next().succeed(1);
    BoundedWaits.get(job.result());
    BoundedWaits.until(
        "its actor is gone",
        () -> BoundedWaits.get(job.status()).status().isTerminal() && store.finds() > 0);
    store.goAway();

    assertThatThrownBy(() -> BoundedWaits.get(job.status()))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("taken away; try again in 10ms");
    assertThat(BoundedWaits.get(handoff.retry(job.id(), "me")))
        .isEqualTo(new RetryAnswer.Unavailable("taken away", Duration.ofMillis(10)));
    assertThatThrownBy(() -> BoundedWaits.get(job.cancel("x").requested()))
        .isInstanceOf(UnavailableException.class);
    assertThatThrownBy(() -> BoundedWaits.get(job.cancel("x").ended()))
        .isInstanceOf(UnavailableException.class);
    var result = job.result();
    var submission = handoff.submit(JobRequest.of("held").key("k"));
    assertThat(BoundedWaits.get(submission))
        .isEqualTo(new Submission.Unavailable("taken away", Duration.ofMillis(10)));

    store.back();
    assertThat(BoundedWaits.get(result)).isInstanceOf(Outcome.Succeeded.class);
  }

  @Test
  void isSubmittedInAStreamWithBackPressure() {
    var requests =
        Source.range(1, 3_000)
            .map(
                i ->
                    JobRequest.of("held", i)
                        .key("key-" + i % 2_000)
                        .delay(Duration.ofDays(1))
                        .label("n", "" + i % 2_000));
    var accepted =
        requests
            .map(request -> request)
            .via(handoff.submitAll())
            .map(answer -> answer.handle().id())
            .runWith(Sink.seq(), actors.system());

    assertThatThrownBy(() -> BoundedWaits.get(accepted))
        .isInstanceOf(SubmissionRefusedException.class);

    var same =
        Source.range(1, 2_000)
            .map(
                i ->
                    JobRequest.of("held", i)
                        .key("key-" + i % 2_000)
                        .delay(Duration.ofDays(1))
                        .label("n", "" + i % 2_000))
            .via(handoff.submitAll())
            .map(answer -> answer.handle().id())
            .runWith(Sink.seq(), handoff.materializer());
    assertThat(BoundedWaits.get(same)).hasSize(2_000).doesNotHaveDuplicates();
  }
}
