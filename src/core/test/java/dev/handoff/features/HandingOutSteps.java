package dev.handoff.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.handoff.Backoff;
import dev.handoff.CancelHandle;
import dev.handoff.CancelReport;
import dev.handoff.Handoff;
import dev.handoff.JobContext;
import dev.handoff.JobHandle;
import dev.handoff.JobInfo;
import dev.handoff.JobRequest;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.Outcome;
import dev.handoff.StoreSettings;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.HistoryInvariants;
import dev.handoff.testing.JobStates;
import dev.handoff.testing.ObservedHistory;
import dev.handoff.testing.OnStore;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.WatchedStore;
import io.cucumber.java.After;
import io.cucumber.java.en.Given;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// Steps about queued jobs in `issue_7357.feature`, and about running jobs in `issue_7166.feature`.
public final class HandingOutSteps {

  private final HeldHandler held = new HeldHandler();
  private final ObservedHistory history = new ObservedHistory();
  private final List<HeldHandler.Attempt> attempts = new ArrayList<>();
  private final List<CancelHandle> cancels = new ArrayList<>();
  private final CompletableFuture<String> seen = new CompletableFuture<>();
  private HeldStore store;
  private Handoff handoff;
  private JobHandle job;
  private JobInfo snapshot;
  private List<JobHandle> others = List.of();
  private HeldStore.Call<WriteResult> writing;

  @After
  public void close() {
    if (handoff != null) {
      store.release();
      attempts.forEach(attempt -> attempt.succeed(null));
      handoff.close();
    }
  }

  @Given("an engine")
  public void engine() {
    start(4, inner -> inner);
  }

  @Given("an engine with {int} workers")
  public void engine(int workers) {
    start(workers, inner -> inner);
  }

  @Given("an engine with {int} workers and a slow store")
  public void slowEngine(int workers) {
    start(workers, Slow::new);
  }

  @Given("an engine whose store waits before it writes")
  public void engineOnAHeldStore() {
    start(4, inner -> inner);
    store.holdWrites();
  }

  private void start(int workers, UnaryOperator<Store> around) {
    var builder =
        Handoff.builder()
            .store(new StoreSettings.Memory())
            .partitions(1)
            .workers(workers)
            .shutdownGrace(Duration.ZERO)
            .cancelling(Duration.ofMillis(20), Duration.ofSeconds(20))
            .handler("held", Json.class, held)
            .handler("waiting", Json.class, (payload, context) -> waits(context))
            .handler(
                "noted",
                Json.class,
                (payload, context) -> {
                  history.entered(context.id(), context.attempt());
                  history.left(context.id(), context.attempt());
                  return null;
                });
    handoff =
        OnStore.start(
            builder,
            inner -> store = new HeldStore(new WatchedStore(around.apply(inner), history)));
  }

  private Object waits(JobContext context) throws InterruptedException {
    attempts.add(new HeldHandler.Attempt(Json.NULL, context, new CompletableFuture<>()));
    context.cancellation().await(BoundedWaits.PATIENCE);
    seen.complete(context.cancellation().isCancelled() ? "cancelled" : "nothing");
    context.cancellation().throwIfCancelled();
    return null;
  }

  private static JobRequest request() {
    return JobRequest.of("held").backoff(Backoff.none());
  }

  /// Delayed job: its claim is a separate write.
  @Given("a job has been accepted")
  public void accepted() {
    var submission = handoff.submit(request().delay(Duration.ofMillis(50)));
    store.nextWrite().go();
    job = BoundedWaits.get(submission).orThrow();
  }

  @Given("a job that runs")
  public void running() {
    job = handoff.submitOrThrow(request());
    attempts.add(held.next());
  }

  @Given("a job that waits for its token")
  public void waiting() {
    job = handoff.submitOrThrow(JobRequest.of("waiting"));
    BoundedWaits.until("it waits", () -> !attempts.isEmpty());
  }

  @When("the store is asked to keep that the job is claimed")
  public void claimIsBeingWritten() {
    writing = store.nextWrite();
  }

  @Then("no handler has started")
  public void nothingStarted() {
    BoundedWaits.get(handoff.health());
    assertThat(held.waiting()).isZero();
  }

  @When("the store has written that")
  public void written() {
    writing.go();
  }

  @Then("its handler starts as attempt {int}")
  public void starts(int number) {
    attempts.add(held.next());
    assertThat(last().job().attempt()).isEqualTo(number);
    assertThat(last().job().id()).isEqualTo(job.id());
  }

  private HeldHandler.Attempt last() {
    return attempts.getLast();
  }

  @When("a client looks at the job")
  public void look() {
    BoundedWaits.until("it is running", () -> status() == JobStatus.RUNNING);
    snapshot = BoundedWaits.get(job.status());
  }

  private JobStatus status() {
    return BoundedWaits.get(job.status()).status();
  }

  @When("its handler ends")
  public void handlerEnds() {
    last().succeed("done");
    BoundedWaits.get(job.ended());
  }

  @When("its handler fails")
  public void handlerFails() {
    last().fail("no route");
  }

  @Then("the client still has a job that is {string}")
  public void clientHas(String status) {
    assertThat(snapshot.status().label()).isEqualTo(status);
  }

  @Then("the client cannot change what it has")
  public void cannotBeChanged() {
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> snapshot.attempts().clear());
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> snapshot.children().clear());
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> snapshot.labels().put("a", "b"));
    assertThat(snapshot.getClass()).isRecord();
  }

  @Then("the job is {string}")
  public void is(String status) {
    assertThat(status().label()).isEqualTo(status);
  }

  @When("{int} clients submit {int} jobs each at the same time")
  public void submitFromMany(int clients, int jobs) {
    var handles = new ConcurrentLinkedQueue<JobHandle>();
    inParallel(
        clients,
        () -> {
          for (int i = 0; i < jobs; i++) {
            handles.add(handoff.submitOrThrow(JobRequest.of("noted")));
          }
        });
    others = List.copyOf(handles);
    others.forEach(handle -> history.accepted(handle.id(), ended(handle).spec()));
  }

  private static void inParallel(int count, Runnable work) {
    var all = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < count; i++) {
      all.add(CompletableFuture.runAsync(work, Thread::startVirtualThread));
    }
    all.forEach(BoundedWaits::get);
  }

  @Then("each job was started once, as attempt {int}")
  public void startedOnce(int number) {
    assertThat(history.all(ObservedHistory.Entered.class))
        .containsExactlyInAnyOrderElementsOf(
            others.stream().map(one -> new ObservedHistory.Entered(one.id(), number)).toList());
  }

  private JobState ended(JobHandle handle) {
    BoundedWaits.get(handle.ended());
    return JobStates.of(handoff, handle.id());
  }

  @Then("the history breaks no rule")
  public void breaksNoRule() {
    HistoryInvariants.check(history, others.stream().map(this::ended).toList());
  }

  @Then("attempt {int} is on record as {string}")
  public void isOnRecord(int number, String cause) {
    assertThat(BoundedWaits.get(job.status()).attempts())
        .filteredOn(attempt -> attempt.attempt() == number)
        .extracting(JobInfo.Attempt::outcome)
        .extracting(end -> end.label())
        .containsExactly(cause);
  }

  @When("{int} jobs are submitted that end at once")
  public void submitMore(int count) {
    var handles = new ArrayList<JobHandle>();
    for (int i = 0; i < count; i++) {
      handles.add(handoff.submitOrThrow(JobRequest.of("noted")));
    }
    others = handles;
  }

  @Then("all of them have ended while the first one runs")
  public void haveEnded() {
    others.forEach(
        one -> assertThat(BoundedWaits.get(one.result())).isInstanceOf(Outcome.Succeeded.class));
    assertThat(status()).isEqualTo(JobStatus.RUNNING);
  }

  @When("it is cancelled while nobody can run it")
  public void cancelWhileQueued() {
    store.nextWrite().answer(new WriteResult.Refused("the claim is not kept"));
    cancel();
    store.release();
  }

  @When("it is cancelled while its claim is being written")
  public void cancelWhileClaiming() {
    var claim = store.nextWrite();
    cancel();
    claim.go();
    store.release();
  }

  @When("it is cancelled while it runs")
  public void cancelWhileRunning() {
    store.release();
    if (attempts.isEmpty()) {
      attempts.add(held.next());
    }
    cancel();
    BoundedWaits.get(cancels.getFirst().ended());
  }

  @When("it is cancelled while its success is being written")
  public void cancelWhileSucceeding() {
    var success = untilItEnds(attempt -> attempt.succeed(null));
    cancel();
    success.go();
    store.release();
  }

  @When("it is cancelled while the failure of its first attempt is being written")
  public void cancelWhileFailing() {
    var failure = untilItEnds(attempt -> attempt.fail("no route"));
    cancel();
    failure.go();
    store.release();
  }

  /// Writes the claim and the start, and ends the handler.
  private HeldStore.Call<WriteResult> untilItEnds(Consumer<HeldHandler.Attempt> end) {
    store.nextWrite().go();
    attempts.add(held.next());
    store.nextWrite().go();
    end.accept(last());
    return store.nextWrite();
  }

  /// Sends a cancel, and returns when the job has received it.
  private void cancel() {
    cancels.add(job.cancel("not needed"));
    BoundedWaits.get(job.status());
  }

  @When("{int} clients cancel it at the same time")
  public void cancelFromMany(int count) {
    var all = new ConcurrentLinkedQueue<CancelHandle>();
    inParallel(count, () -> all.add(job.cancel("not needed")));
    cancels.addAll(all);
    assertThat(cancels).hasSize(count);
  }

  @Then("the client is told that it was cancelled")
  public void isToldOfTheCancel() {
    everybodyIsToldOfTheCancel();
  }

  @Then("each of them is told that it was cancelled")
  public void everybodyIsToldOfTheCancel() {
    for (var cancel : cancels) {
      assertThat(BoundedWaits.get(cancel.requested()))
          .isEqualTo(CancelHandle.CancelRequestAnswer.REQUESTED);
      assertThat(BoundedWaits.get(cancel.ended())).isInstanceOf(CancelReport.Cancelled.class);
    }
    assertThat(status()).isEqualTo(JobStatus.CANCELLED);
  }

  @Then("the client is told that it had succeeded")
  public void isToldOfTheSuccess() {
    assertThat(BoundedWaits.get(cancels.getFirst().ended()))
        .isEqualTo(new CancelReport.Already(job.id(), JobStatus.SUCCEEDED));
  }

  @Then("its handler was never called")
  public void wasNeverCalled() {
    assertThat(BoundedWaits.get(job.status()).attempt()).isZero();
    assertThat(held.waiting()).isZero();
  }

  /// The handler was interrupted, or never called.
  @Then("its handler does not run")
  public void doesNotRun() {
    BoundedWaits.until("no worker is busy", () -> BoundedWaits.get(handoff.health()).busy() == 0);
  }

  @Then("its handler has seen the cancel")
  public void hasSeenTheCancel() {
    assertThat(last().job().cancellation().isCancelled()).isTrue();
    doesNotRun();
  }

  @Then("its handler has run once")
  public void hasRunOnce() {
    assertThat(attempts).hasSize(1);
    assertThat(held.waiting()).isZero();
  }

  @When("the job is opened again")
  public void openAgain() {
    BoundedWaits.get(handoff.retry(job.id(), "an operator"));
  }

  @Then("the token of the handler that ran as attempt {int} is cancelled")
  public void tokenIsCancelled(int number) {
    assertThat(token(number)).isTrue();
  }

  @Then("the token of the handler that runs as attempt {int} is not cancelled")
  public void tokenIsNotCancelled(int number) {
    assertThat(token(number)).isFalse();
  }

  private boolean token(int number) {
    var attempt = attempts.get(number - 1).job();
    assertThat(attempt.attempt()).isEqualTo(number);
    return attempt.cancellation().isCancelled();
  }

  @Then("the waiting handler has seen {string}")
  public void waiterHasSeen(String what) {
    assertThat(BoundedWaits.get(seen)).isEqualTo(what);
  }

  /// Delays each batch.
  private static final class Slow extends StoreAround {
    Slow(Store inner) {
      super(inner);
    }

    @Override
    public CompletionStage<WriteResult> write(StoreBatch batch) {
      var later = CompletableFuture.delayedExecutor(3, TimeUnit.MILLISECONDS);
      return CompletableFuture.supplyAsync(() -> null, later)
          .thenCompose(none -> super.write(batch));
    }
  }
}
