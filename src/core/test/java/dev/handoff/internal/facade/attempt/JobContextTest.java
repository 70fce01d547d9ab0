package dev.handoff.internal.facade.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Backoff;
import dev.handoff.CancelReport;
import dev.handoff.Handoff;
import dev.handoff.InvalidRequestException;
import dev.handoff.JobFilter;
import dev.handoff.JobHandle;
import dev.handoff.JobHandler;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobRequest;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.Outcome;
import dev.handoff.Submission;
import dev.handoff.cancel.CancelledException;
import dev.handoff.internal.facade.JsonFormat;
import dev.handoff.internal.facade.start.EngineBuilder;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A handler")
class JobContextTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final HeldHandler held = new HeldHandler();
  private final HeldHandler children = new HeldHandler();
  private HeldStore store;
  private Handoff handoff;

  record Image(String file, Instant taken, Optional<String> owner) {}

  record Size(int width) {}

  @BeforeEach
  void start() {
    handoff =
        builder(StoreDirectory.Kind.MEMORY)
            .handler("held", Json.class, held)
            .handler("child", Json.class, children)
            .start();
  }

  private EngineBuilder builder(StoreDirectory.Kind kind) {
    return EngineBuilder.on(actors.system())
        .store(StoreDirectory.of(kind).store())
        .around(inner -> store = new HeldStore(inner))
        .workers(4)
        .cancelling(Duration.ofMillis(50), Duration.ofSeconds(10))
        .shutdownGrace(Duration.ZERO);
  }

  @AfterEach
  void stop() {
    handoff.close();
  }

  private JobHandle submit() {
    return handoff.submitOrThrow(JobRequest.of("held").backoff(Backoff.none()));
  }

  @Test
  void takesAndGivesItsOwnTypes() throws Exception {
    handoff.close();
    handoff =
        builder(StoreDirectory.Kind.MEMORY)
            .handler("size", Image.class, (image, job) -> new Size(image.file().length()))
            .handler("null", Void.class, (nothing, job) -> nothing)
            .handler("thread", Json.class, (payload, job) -> Thread.currentThread().isVirtual())
            .handler(
                "block",
                Json.class,
                JobHandler.blocking((payload, job) -> Thread.currentThread().isVirtual()))
            .handler("unwritable", Json.class, (payload, job) -> new Object())
            .start();
    var image = new Image("a.png", Instant.EPOCH, Optional.of("me"));

    var sized = BoundedWaits.get(handoff.submitOrThrow(JobRequest.of("size", image)).result());
    var nothing = BoundedWaits.get(handoff.submitOrThrow(JobRequest.of("null")).result());
    var unwritable =
        BoundedWaits.get(
            handoff.submitOrThrow(JobRequest.of("unwritable").maxAttempts(1)).result());

    assertThat(((Outcome.Succeeded) sized).as(Size.class)).isEqualTo(new Size(5));
    assertThat(nothing).isEqualTo(new Outcome.Succeeded(Json.NULL));
    assertThat(((Outcome.Failed) unwritable).error().message())
        .contains("result cannot be written");
    assertThat(BoundedWaits.get(handoff.submitOrThrow(JobRequest.of("thread")).result()))
        .isEqualTo(new Outcome.Succeeded(Json.of("true")));
    assertThat(BoundedWaits.get(handoff.submitOrThrow(JobRequest.of("block")).result()))
        .isEqualTo(new Outcome.Succeeded(Json.of("false")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"large", "unwritable"})
  void isNotCalledAgainForAResultThatCannotBeKept(String type) {
    handoff.close();
    handoff =
        builder(StoreDirectory.Kind.MEMORY)
            .handler("large", Json.class, (payload, job) -> "x".repeat(JsonFormat.MOST))
            .handler("unwritable", Json.class, (payload, job) -> new Object())
            .start();

    var job = handoff.submitOrThrow(JobRequest.of(type).maxAttempts(3).backoff(Backoff.none()));

    assertThat(((Outcome.Failed) BoundedWaits.get(job.result())).error().message())
        .matches("result (is larger than 262144 bytes|cannot be written as JSON).*");
    assertThat(BoundedWaits.get(job.status()).attempt()).isEqualTo(1);
  }

  @Test
  void knowsItsJob() {
    var handle = handoff.submitOrThrow(JobRequest.of("held", 7).queue("q").label("colour", "red"));

    var job = held.next().job();

    assertThat(job.id()).isEqualTo(handle.id());
    assertThat(job.type()).isEqualTo("held");
    assertThat(job.queue()).isEqualTo("q");
    assertThat(job.labels()).isEqualTo(Map.of("colour", "red"));
    assertThat(job.attempt()).isEqualTo(1);
  }

  @Test
  void leavesWordsAndProgressWithItsJob() {
    var handle = submit();
    var attempt = held.next();
    attempt.job().log("first\0 line");
    attempt.job().heartbeat();
    attempt.job().progress(0.25, "a quarter");

    attempt.succeed(null);

    var job = BoundedWaits.get(handle.ended());
    assertThat(job.log()).containsExactly("first\uFFFD line");
    assertThat(job.progress()).get().extracting(JobInfo.Progress::fraction).isEqualTo(0.25);
  }

  @Test
  void findsWhatAnEarlierAttemptKept() {
    submit();
    var first = held.next();
    assertThat(first.job().checkpoint(Size.class)).isEmpty();
    BoundedWaits.get(first.job().checkpoint(new Size(3)));
    first.fail("halfway");

    var second = held.next();

    assertThat(second.job().checkpoint(Size.class)).contains(new Size(3));
    assertThatThrownBy(() -> second.job().checkpoint(String[].class))
        .isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(() -> second.job().checkpoint("x".repeat(300_000)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("checkpoint is larger");
    assertThatThrownBy(() -> BoundedWaits.get(first.job().checkpoint(new Size(4))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("over for the engine");
    second.succeed(null);
  }

  @Test
  void hasItsCheckpointKeptBeforeItIsToldSo() {
    submit();
    var attempt = held.next();
    BoundedWaits.until(
        "its start is written",
        () -> {
          var jobs = BoundedWaits.get(handoff.jobs(JobFilter.ALL, Optional.empty(), 1)).jobs();
          return jobs.getFirst().status() == JobStatus.RUNNING;
        });
    store.holdWrites();
    var kept = attempt.job().checkpoint(1).toCompletableFuture();

    var write = store.nextWrite();
    assertThat(kept).isNotDone();
    write.go();
    BoundedWaits.get(kept);
    store.release();
    attempt.succeed(null);
  }

  @Test
  void submitsChildrenOncePerKey() {
    var parent = submit();
    var first = held.next();
    var request = JobRequest.of("child", 1).key("left").delay(Duration.ofDays(1));

    var child = BoundedWaits.get(first.job().submit(request)).orThrow();
    assertThat(BoundedWaits.get(first.job().submit(request)))
        .isInstanceOfSatisfying(
            Submission.Existing.class,
            same -> assertThat(same.handle().id()).isEqualTo(child.id()));
    assertThat(BoundedWaits.get(first.job().submit(JobRequest.of("child", 2).key("left"))))
        .isEqualTo(new Submission.KeyConflict("left", child.id()));
    first.fail("later");
    var second = held.next();

    assertThat(BoundedWaits.get(second.job().submit(request)))
        .isInstanceOfSatisfying(
            Submission.Existing.class,
            same -> assertThat(same.handle().id()).isEqualTo(child.id()));
    assertThat(BoundedWaits.get(child.status()).parent()).contains(parent.id());
    assertThat(child.id().partition()).isEqualTo(parent.id().partition());
    second.succeed(null);
  }

  @Test
  void submitsByTheSameRulesAsAnybody() {
    submit();
    var job = held.next().job();

    assertThat(BoundedWaits.get(job.submit(JobRequest.of("unknown"))))
        .isInstanceOf(Submission.UnknownType.class);
    assertThat(BoundedWaits.get(job.submit(JobRequest.of("child", new Object()))))
        .isInstanceOf(Submission.Invalid.class);
    assertThat(BoundedWaits.get(job.submit(JobRequest.of("child").maxAttempts(0))))
        .isInstanceOf(Submission.Invalid.class);
  }

  @Test
  void cannotSubmitOnceItsJobIsBeingCancelledOrOver() {
    var parent = submit();
    var attempt = held.next();
    var refusedInTime = new ConcurrentLinkedQueue<Submission>();
    attempt
        .job()
        .cancellation()
        .onCancel(
            why -> attempt.job().submit(JobRequest.of("child")).thenAccept(refusedInTime::add));

    BoundedWaits.get(parent.cancel("a mistake").ended());
    BoundedWaits.until("it is answered", () -> !refusedInTime.isEmpty());
    var after = BoundedWaits.get(attempt.job().submit(JobRequest.of("child")));

    assertThat(refusedInTime.peek())
        .isInstanceOfSatisfying(
            Submission.Refused.class,
            refused -> assertThat(refused.reason()).containsAnyOf("being stopped", "is over"));
    assertThat(after)
        .isInstanceOfSatisfying(
            Submission.Refused.class,
            refused -> assertThat(refused.reason()).contains("is over for the engine"));
    assertThat(children.waiting()).isZero();
  }

  @Test
  void waitsForItsChildrenWithoutKeepingAWorker() {
    handoff.close();
    handoff =
        builder(StoreDirectory.Kind.MEMORY)
            .handler(
                "parent",
                Json.class,
                (payload, job) -> {
                  var child =
                      BoundedWaits.get(job.submit(JobRequest.of("leaf", payload))).orThrow();
                  return job.await(child) instanceof Outcome.Succeeded(var value) ? value : null;
                })
            .handler("leaf", Json.class, (payload, job) -> payload)
            .start();

    var parents = new ArrayList<JobHandle>();
    for (int i = 0; i < 200; i++) {
      parents.add(handoff.submitOrThrow(JobRequest.of("parent", i)));
    }

    for (int i = 0; i < 200; i++) {
      assertThat(BoundedWaits.get(parents.get(i).result()))
          .isEqualTo(new Outcome.Succeeded(Json.of("" + i)));
    }
  }

  @Test
  void wakesFromItsWaitWhenItIsCancelled() {
    handoff.close();
    var woken = new ConcurrentLinkedQueue<Throwable>();
    handoff =
        builder(StoreDirectory.Kind.MEMORY)
            .handler(
                "parent",
                Json.class,
                (payload, job) -> {
                  var child =
                      BoundedWaits.get(job.submit(JobRequest.of("child").delay(Duration.ofDays(1))))
                          .orThrow();
                  try {
                    return job.await(child);
                  } catch (CancelledException e) {
                    woken.add(e);
                    throw e;
                  }
                })
            .handler("child", Json.class, children)
            .start();
    var parent = handoff.submitOrThrow(JobRequest.of("parent"));
    BoundedWaits.until(
        "it has its child", () -> !BoundedWaits.get(parent.status()).children().isEmpty());

    var report = BoundedWaits.get(parent.cancel("a mistake").ended());

    assertThat(report).isEqualTo(new CancelReport.Cancelled(parent.id(), false, List.of()));
    assertThat(woken).hasSize(1);
    var child = BoundedWaits.get(parent.status()).children().getFirst();
    assertThat(BoundedWaits.get(handoff.handle(child).result()))
        .isInstanceOf(Outcome.Cancelled.class);
  }

  @Test
  void cannotWaitForAJobThatIsNone() {
    handoff.close();
    handoff =
        builder(StoreDirectory.Kind.MEMORY)
            .handler(
                "parent",
                Json.class,
                (payload, job) -> {
                  var stray = new JobId("01M7QFVKG37T57SAZV4T1N2T01");
                  return job.await(handoff.handle(stray));
                })
            .start();

    var outcome =
        BoundedWaits.get(handoff.submitOrThrow(JobRequest.of("parent").maxAttempts(1)).result());

    assertThat(((Outcome.Failed) outcome).error().message()).contains("does not exist");
  }
}
