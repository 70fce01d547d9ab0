package dev.handoff;

import dev.handoff.ask.AnswerStage;
import dev.handoff.ask.FullHeap;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.assembly.Assembler;
import dev.handoff.engine.Engine;
import dev.handoff.engine.EngineSettings;
import dev.handoff.job.JobId;
import dev.handoff.store.Store;
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

/// A durable execution engine. Jobs that it accepts are durable, and each is handed to exactly one
/// worker at a time.
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
/// Everything is asynchronous and may be called from any thread. Answers are sealed types: a
/// refusal is an answer, not an exception; stages whose answer has no word for it fail with an
/// [UnavailableException] when the engine cannot answer.
///
/// Callbacks of stages and of cancels run on platform threads of the engine (`handoff-callback-…`),
/// never in `ForkJoinPool.commonPool()`, nor on a thread that the engine needs for something else.
/// Where 256 of a JVM block, further callbacks wait until one of these returns. The engine goes on,
/// and so do its answers: a `join` ends on any thread, also in a callback.
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

  /// What a facade needs of its engine.
  ///
  /// @param own whether the actor system belongs to this engine, and ends with it
  record Inside(
      ActorSystem<?> system,
      boolean own,
      ActorRef<Engine.Command> engine,
      Engine.Ready doors,
      Store store,
      Submissions submissions,
      EngineSettings settings,
      Calls calls,
      Streams streams) {}

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

  /// An engine with an actor system of its own. It takes `handoff { }` from the configuration of
  /// the host and nothing else, and never ends the host's JVM.
  public static HandoffBuilder builder() {
    return new HandoffBuilder(null);
  }

  /// An engine on a running actor system; there may be several. Its configuration has to keep the
  /// system alive: set `pekko.jvm-exit-on-fatal-error = off` and
  /// `pekko.coordinated-shutdown.exit-jvm = off` where the host must survive, and on JDK 25
  /// `pekko.actor.default-dispatcher.fork-join-executor.minimum-runnable = -1`. Close the engine
  /// before the system is terminated.
  public static HandoffBuilder on(ActorSystem<?> system) {
    HostCheck.warn(system);
    return new HandoffBuilder(system);
  }

  /// Submits a job. Answered when it is durable. Never throws, and its stage never fails.
  public CompletionStage<Submission> submit(JobRequest request) {
    return AnswerStage.of(jobs.submit(request));
  }

  /// Submits a job and waits until it is durable. Not for an actor's thread.
  ///
  /// @throws SubmissionRefusedException if it is not accepted
  public JobHandle submitOrThrow(JobRequest request) {
    return AnswerStage.of(jobs.submit(request)).join().orThrow();
  }

  /// Submits many jobs. The stage completes when each of them is durable or refused, with one
  /// answer for each request, in the order of the list. A refused request stops no other one. Never
  /// throws for a bad request, and its stage never fails.
  ///
  /// Jobs are written together, in one append per partition, which costs less than single
  /// submissions; the few jobs of a short list are taken one by one, and start earlier. A long list
  /// goes in part by part: at most 1,000 jobs or 512 KiB of payloads (or one larger job) for each
  /// partition are on their way, and a part that the store cannot take yet is tried again. When
  /// nothing is taken for 30 seconds the rest is answered as unavailable. Payloads are written as
  /// JSON when their part is due, so they must not change before the stage completes.
  public CompletionStage<List<Submission>> submit(List<JobRequest> requests) {
    return AnswerStage.of(jobs.submit(requests));
  }

  /// Submits a stream of jobs, in order, with back-pressure: about a thousand are on their way.
  /// What comes faster than it is written is submitted together, as by [#submit(List)]. A job that
  /// is not accepted fails the stream with a [SubmissionRefusedException]; one that is there
  /// already, under the same key, is passed on as accepted.
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

  /// The handle of a job, whether it exists or not.
  public JobHandle handle(JobId id) {
    return new JobHandle(id, this);
  }

  /// Ends a job. Idempotent.
  public Cancelling cancel(JobId id, String reason) {
    return cancel(id, reason, "api");
  }

  /// Ends a job, and says who asked for it. Idempotent.
  public Cancelling cancel(JobId id, String reason, String by) {
    return jobs.cancel(id, reason, by);
  }

  /// Opens a failed or cancelled job again, as a new attempt with a new token.
  ///
  /// @param by who asks for it; recorded with the job
  public CompletionStage<RetryAnswer> retry(JobId id, String by) {
    return AnswerStage.of(jobs.retry(id, by));
  }

  /// A job as it is now, live or ended; empty if there is none. Where `handoff.history` drops jobs
  /// it is never empty, and fails with a [JobNotKeptException] instead.
  public CompletionStage<Optional<JobInfo>> job(JobId id) {
    return AnswerStage.of(jobs.job(id));
  }

  /// Some jobs, live and ended, newest first. A job that is opened again at this very moment may be
  /// left out.
  ///
  /// @param cursor where the page before this one ended; empty for the first
  /// @param limit 1 to 10,000; a page may be shorter although another one follows
  /// @throws InvalidRequestException if one of them is not what it should be
  public CompletionStage<JobPage> jobs(JobFilter filter, Optional<String> cursor, int limit) {
    return AnswerStage.of(new Lists(inside).page(filter, cursor, limit));
  }

  /// The queues: what they hold, and what holds for them.
  public QueueCommands queues() {
    return new QueueDesk(inside);
  }

  /// Plans: graphs of jobs, and the ledger of what these have changed.
  public PlanCommands plans() {
    return new PlanDesk(inside, this);
  }

  /// The circuit breakers: calls behind them, and what they are.
  public BreakerCommands breakers() {
    return new BreakerDesk(inside);
  }

  /// Finds context for a step: what its workspace has to say, the best of it that fits the budget.
  /// The stage never fails.
  public CompletionStage<ContextAnswer> assemble(ContextRequest request) {
    return assemble(request, new CancellationSource().token());
  }

  /// The same, stopped with everything that it has started when the token is cancelled.
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

  /// What happens from when the stream is run. Bounded and lossy by contract: a watcher that is too
  /// slow fails with an [EventGapException]. Completes when the engine ends.
  public Source<JobEvent, NotUsed> events() {
    return new EventStream(inside, jobs).fromNow();
  }

  /// What has happened since an event, and from then on. Fails with an [EventGapException] if some
  /// of it is not kept any more, or the event is of an engine before this one.
  ///
  /// @param number of the last event that was seen
  public Source<JobEvent, NotUsed> eventsAfter(long number) {
    return new EventStream(inside, jobs).after(number);
  }

  Source<JobEvent, NotUsed> events(JobHandle job) {
    return new EventStream(inside, jobs).of(job);
  }

  /// Runs streams such as [#events], for those who have no actor system of their own. Ends with the
  /// engine.
  public Materializer materializer() {
    return SystemMaterializer.get(inside.system()).materializer();
  }

  /// How the engine is, also when it is down or closed.
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

  /// Stops in order: nothing new is claimed, running attempts have `shutdown-grace` to end and are
  /// then cancelled; they are run again at the next start, unless they may be started only once.
  /// Then the store is closed. Idempotent; waits until it is done. Not for an actor's or a
  /// handler's thread.
  ///
  /// What does not stop then, or cannot be recorded because the store is away, is found lost by the
  /// next start. Submissions that are on their way are answered as unavailable: whether they were
  /// accepted is then not known.
  @Override
  public void close() {
    if (closing.compareAndSet(false, true)) {
      try {
        new Closing(inside, end).run();
      } finally {
        closed.complete(null);
      }
    }
    closed.join();
  }

  /// The engine has gone down by itself: whoever waits for it is told, and the listener once, on a
  /// thread where it may block.
  ///
  /// @throws OutOfMemoryError if there is no memory to do so; it may be done again then
  void down(String reason, Consumer<String> listener, ThreadFactory threads) {
    if (!closing.get() && !isDown.get()) {
      inside.calls().end("the engine is down: " + reason);
      var telling = threads.newThread(() -> tell(listener, reason));
      if (isDown.compareAndSet(false, true)) {
        FullHeap.outlast(Thread::start, telling);
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
