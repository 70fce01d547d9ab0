package dev.handoff;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.internal.ask.FullHeapSteps;
import dev.handoff.internal.context.assembly.Assembler;
import dev.handoff.internal.engine.Engine;
import dev.handoff.internal.engine.EngineSettings;
import dev.handoff.internal.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Source;
import org.slf4j.LoggerFactory;

/// A durable execution engine. Accepted jobs are durable; each job is handed to exactly one worker
/// at a time.
///
/// ```java
/// try (var handoff = Handoff.builder()
///         .handler("thumbnail", Thumbnail.class, (image, job) -> resize(image, job.cancellation()))
///         .start()) {
///     JobHandle handle = handoff.submitOrThrow(JobRequest.of("thumbnail", new Thumbnail("a.png")).key("a.png"));
///     Outcome outcome = handle.result().toCompletableFuture().join();
/// }
/// ```
///
/// All methods are asynchronous and thread-safe. Answers are sealed types: a refusal is an answer,
/// not an exception. Where the answer type has no case for an engine that cannot answer, the stage
/// fails with an [UnavailableException].
///
/// Callbacks of stages and of cancels run on platform threads of the engine (`handoff-callback-…`),
/// never in `ForkJoinPool.commonPool()` and never on a thread that the engine itself needs. A JVM
/// has 256 of these threads. When all of them block, further callbacks wait for a free thread, but
/// the engine keeps running and completes its stages: `join` returns on any thread, also inside a
/// callback.
public final class Handoff implements AutoCloseable {

  private static final int LARGEST_BATCH = 256;
  private static final int BATCHES_UNDER_WAY = 4;
  private static final Duration LONGEST_ASSEMBLY = Duration.ofHours(1);

  private final Inside inside;
  private final JobCalls jobs;
  private final EngineEnd end;
  private final AtomicBoolean isDown = new AtomicBoolean();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  /// Parts of the engine that the facade uses.
  ///
  /// @param own whether the actor system belongs to this engine and terminates with it
  record Inside(
      ActorSystem<?> system,
      boolean own,
      ActorRef<Engine.Command> engine,
      Engine.Ready doors,
      Store store,
      JobSubmissions submissions,
      EngineSettings settings,
      EngineCalls calls,
      EventStreams streams) {}

  Handoff(Inside inside, EngineEnd end) {
    this.inside = inside;
    this.jobs = new JobCalls(inside, this);
    this.end = end;
  }

  Inside inside() {
    return inside;
  }

  JobCalls jobCalls() {
    return jobs;
  }

  /// Builder of an engine with its own actor system. The engine reads only the section `handoff {
  /// }` of the host's configuration and never ends the host's JVM.
  public static HandoffBuilder builder() {
    return new HandoffBuilder(null);
  }

  /// Builder of an engine on a running actor system; several engines may share the system. The
  /// system's configuration must keep the JVM alive: set `pekko.jvm-exit-on-fatal-error = off` and
  /// `pekko.coordinated-shutdown.exit-jvm = off` where the host must survive, and on JDK 25
  /// `pekko.actor.default-dispatcher.fork-join-executor.minimum-runnable = -1`. Close the engine
  /// before you terminate the system.
  public static HandoffBuilder on(ActorSystem<?> system) {
    HostCheck.warn(system);
    return new HandoffBuilder(system);
  }

  /// Submits a job. The stage completes when the job is durable. This method never throws, and its
  /// stage never fails.
  public CompletionStage<Submission> submit(JobRequest request) {
    return AnswerStage.of(jobs.submit(request));
  }

  /// Submits a job and blocks until the job is durable. Do not call this method on an actor's
  /// thread.
  ///
  /// @throws SubmissionRefusedException if the job is not accepted
  public JobHandle submitOrThrow(JobRequest request) {
    return AnswerStage.of(jobs.submit(request)).join().orThrow();
  }

  /// Submits many jobs. The stage completes when each job is durable or refused, with one answer
  /// per request, in the order of the list. A refused request does not affect the other requests. A
  /// bad request never causes an exception, and the stage never fails.
  ///
  /// Jobs of a long list share one ledger append per partition, which costs less than single
  /// submissions. Jobs of a short list are submitted one by one, and so start earlier. A long list
  /// is submitted in parts: at most 1,000 jobs or 512 KiB of payloads (or one larger job) per
  /// partition are in flight. Jobs that the store cannot take yet are retried. After 30 seconds
  /// without an accepted job, the rest is answered as unavailable. Payloads are written as JSON
  /// when their part is due, so do not modify them before the stage completes.
  public CompletionStage<List<Submission>> submit(List<JobRequest> requests) {
    return AnswerStage.of(jobs.submit(requests));
  }

  /// Submits a stream of jobs, in order, with back-pressure: about a thousand jobs are in flight.
  /// When jobs arrive faster than the store writes, they are submitted in batches, as by
  /// [#submit(List)]. A job that is not accepted fails the stream with a
  /// [SubmissionRefusedException]. An existing job with the same key and content counts as
  /// accepted.
  public Flow<JobRequest, Submission.Accepted, NotUsed> submitAll() {
    return Flow.of(JobRequest.class)
        .batch(LARGEST_BATCH, Handoff::first, Handoff::plus)
        .mapAsync(BATCHES_UNDER_WAY, jobs::submit)
        .mapConcat(answers -> answers)
        .map(submission -> new Submission.Accepted(submission.orThrow()));
  }

  private static List<JobRequest> first(JobRequest request) {
    return plus(new ArrayList<>(), request);
  }

  private static List<JobRequest> plus(List<JobRequest> batch, JobRequest next) {
    batch.add(next);
    return batch;
  }

  /// Handle of a job id; the job need not exist.
  public JobHandle handle(JobId id) {
    return new JobHandle(id, this);
  }

  /// Cancels a job. Idempotent.
  public CancelHandle cancel(JobId id, String reason) {
    return cancel(id, reason, "api");
  }

  /// Cancels a job and records the caller. Idempotent.
  public CancelHandle cancel(JobId id, String reason, String by) {
    return jobs.cancel(id, reason, by);
  }

  /// Reopens a failed or cancelled job, as a new attempt with a new token.
  ///
  /// @param by caller; recorded with the job
  public CompletionStage<RetryAnswer> retry(JobId id, String by) {
    return AnswerStage.of(jobs.retry(id, by));
  }

  /// Snapshot of a job, live or ended; empty if the job does not exist. Where `handoff.history`
  /// drops jobs, the stage fails with a [JobNotKeptException] instead of an empty answer.
  public CompletionStage<Optional<JobInfo>> job(JobId id) {
    return AnswerStage.of(jobs.job(id));
  }

  /// One page of jobs, live and ended, newest first. A job that is being reopened during this call
  /// may be missing.
  ///
  /// @param cursor end of the previous page; empty for the first page
  /// @param limit 1 to 10,000; a page may be shorter although another page follows
  /// @throws InvalidRequestException if an argument is invalid
  public CompletionStage<JobPage> jobs(JobFilter filter, Optional<String> cursor, int limit) {
    return AnswerStage.of(new JobLists(inside).page(filter, cursor, limit));
  }

  /// Queues: their load and their settings.
  public QueueCommands queues() {
    return new EngineQueues(inside);
  }

  /// Plans: graphs of jobs, each with a ledger of the changes its jobs made.
  public PlanCommands plans() {
    return new EnginePlans(inside, this);
  }

  /// Circuit breakers: protected calls, and the state of each breaker.
  public BreakerCommands breakers() {
    return new EngineBreakers(inside);
  }

  /// Assembles context for a step: fragments of the workspace, the best ones that fit the budget.
  /// The stage never fails.
  public CompletionStage<ContextAnswer> assemble(ContextRequest request) {
    return assemble(request, new CancellationSource().token());
  }

  /// Assembles context until the token is cancelled; the cancel also stops everything that the
  /// request started.
  public CompletionStage<ContextAnswer> assemble(ContextRequest request, CancellationToken stop) {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(stop, "stop");
    return inside
        .calls()
        .<Assembler.Command, Assembler.Answered, ContextAnswer>answer(
            inside.doors().assembler(),
            replyTo -> new Assembler.Assemble(request, stop, replyTo),
            LONGEST_ASSEMBLY,
            (answered, failure) ->
                answered == null
                    ? new ContextAnswer.Unavailable(
                        UnavailableException.of(failure).getMessage(),
                        inside.settings().ledger().retryAfter())
                    : answered.answer());
  }

  /// Job events from the moment when the stream is run. The stream is bounded and lossy by
  /// contract: it fails with an [EventGapException] for a watcher that is too slow. It completes
  /// when the engine ends.
  public Source<JobEvent, NotUsed> events() {
    return new EventStream(inside, jobs).fromNow();
  }

  /// Job events after a given event, and all later ones. The stream fails with an
  /// [EventGapException] if some of these events are no longer kept, or if the number belongs to an
  /// earlier engine.
  ///
  /// @param number number of the last event that the watcher has seen
  public Source<JobEvent, NotUsed> eventsAfter(long number) {
    return new EventStream(inside, jobs).after(number);
  }

  Source<JobEvent, NotUsed> events(JobHandle job) {
    return new EventStream(inside, jobs).of(job);
  }

  /// Materializer for streams such as [#events], for hosts without an actor system of their own. It
  /// ends with the engine.
  public Materializer materializer() {
    return SystemMaterializer.get(inside.system()).materializer();
  }

  /// Health of the engine, also when it is down or closed.
  public CompletionStage<Health> health() {
    return AnswerStage.of(
        inside
            .calls()
            .<Engine.Command, Engine.HealthReport>ask(inside.engine(), Engine.GetHealth::new)
            .handle(
                (report, failure) ->
                    report == null
                        ? Health.none(UnavailableException.of(failure).getMessage())
                        : Health.of(report)));
  }

  /// Closes the engine in order. Workers claim no new jobs. Running attempts have `shutdown-grace`
  /// to end and are then cancelled; their jobs run again at the next start, unless they may start
  /// only once. Then the store is closed. Idempotent; blocks until the engine is closed. Do not
  /// call this method on an actor's or a handler's thread.
  ///
  /// An attempt that does not stop, or whose end cannot be recorded because the store is away, is
  /// found lost by the next start. Submissions in flight are answered as unavailable: whether they
  /// were accepted is then unknown.
  @Override
  public void close() {
    if (closing.compareAndSet(false, true)) {
      try {
        new EngineShutdown(inside, end).run();
      } finally {
        closed.complete(null);
      }
    }
    closed.join();
  }

  /// Takes the engine down after an internal failure: fails all waiting callers, and calls the
  /// listener once, on a thread that may block.
  ///
  /// @throws OutOfMemoryError if the heap is full; the call can then be repeated
  void down(String reason, Consumer<String> listener, ThreadFactory threads) {
    if (!closing.get() && !isDown.get()) {
      inside.calls().end("the engine is down: " + reason);
      var telling = threads.newThread(() -> tell(listener, reason));
      if (isDown.compareAndSet(false, true)) {
        FullHeapSteps.outlast(Thread::start, telling);
      }
    }
  }

  private static void tell(Consumer<String> listener, String reason) {
    try {
      listener.accept(reason);
    } catch (Throwable failure) {
      LoggerFactory.getLogger(Handoff.class)
          .warn("the listener for the end of an engine failed", failure);
    }
  }
}
