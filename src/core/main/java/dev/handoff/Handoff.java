package dev.handoff;

import dev.handoff.breaker.BreakerCommands;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.internal.facade.start.EngineBuilder;
import dev.handoff.plan.PlanCommands;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Source;

/// A durable execution engine. Accepted jobs are durable; a job is handed to one worker at a time.
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
/// All methods are thread-safe, and all but [#submitOrThrow] and [#close] are asynchronous. Answers
/// are sealed types: a refusal is an answer, not an exception. Where the answer type has no case
/// for an engine that cannot answer, the stage fails with an [UnavailableException].
///
/// Callbacks of stages and of cancels run on platform threads of the engine (`handoff-callback-…`),
/// never in `ForkJoinPool.commonPool()` and never on a thread that the engine itself needs. A JVM
/// has 256 of these threads. When all of them block, further callbacks wait for a free thread, but
/// the engine keeps running and completes its stages: `join` returns on any thread, also inside a
/// callback.
public interface Handoff extends AutoCloseable {

  /// Builder of an engine with its own actor system. The engine reads only the section `handoff {
  /// }` of the host's configuration and never ends the host's JVM.
  static HandoffBuilder builder() {
    return EngineBuilder.withOwnSystem();
  }

  /// Builder of an engine on a running actor system; several engines may share the system. The
  /// system's configuration must keep the JVM alive: set `pekko.jvm-exit-on-fatal-error = off` and
  /// `pekko.coordinated-shutdown.exit-jvm = off` where the host must survive, and on JDK 25
  /// `pekko.actor.default-dispatcher.fork-join-executor.minimum-runnable = -1`. Close the engine
  /// before you terminate the system.
  static HandoffBuilder on(ActorSystem<?> system) {
    return EngineBuilder.on(system);
  }

  /// Submits a job. The stage completes when the job is durable. This method never throws, and its
  /// stage never fails.
  CompletionStage<Submission> submit(JobRequest request);

  /// Submits a job and blocks until the job is durable. Do not call this method on an actor's
  /// thread.
  ///
  /// @throws SubmissionRefusedException if the job is not accepted
  JobHandle submitOrThrow(JobRequest request);

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
  CompletionStage<List<Submission>> submit(List<JobRequest> requests);

  /// Submits a stream of jobs, in order, with back-pressure: about a thousand jobs are in flight.
  /// When jobs arrive faster than the store writes, they are submitted in batches, as by
  /// [#submit(List)]. A job that is not accepted fails the stream with a
  /// [SubmissionRefusedException]. An existing job with the same key and content counts as
  /// accepted.
  Flow<JobRequest, Submission.Accepted, NotUsed> submitAll();

  /// Handle of a job id; the job need not exist.
  JobHandle handle(JobId id);

  /// Cancels a job. Idempotent.
  CancelHandle cancel(JobId id, String reason);

  /// Cancels a job and records the caller. Idempotent.
  CancelHandle cancel(JobId id, String reason, String by);

  /// Reopens a failed or cancelled job, as a new attempt with a new token. The job is due at once,
  /// also if it was cancelled before its start time.
  ///
  /// @param by caller; recorded with the job
  CompletionStage<RetryAnswer> retry(JobId id, String by);

  /// Snapshot of a job, live or ended; empty if the job does not exist. Where `handoff.history`
  /// drops jobs, the stage fails with a [JobNotKeptException] instead of an empty answer.
  CompletionStage<Optional<JobInfo>> job(JobId id);

  /// One page of jobs, live and ended, newest first. A job that is being reopened during this call
  /// may be missing.
  ///
  /// @param cursor end of the previous page; empty for the first page
  /// @param limit 1 to 10,000; a page may be shorter although another page follows
  /// @throws InvalidRequestException if an argument is invalid
  CompletionStage<JobPage> jobs(JobFilter filter, Optional<String> cursor, int limit);

  /// Queues: their load and their settings.
  QueueCommands queues();

  /// Plans: graphs of jobs, each with a ledger of the changes its jobs made.
  PlanCommands plans();

  /// Circuit breakers: protected calls, and the state of each breaker.
  BreakerCommands breakers();

  /// Assembles context for a step: fragments of the workspace, the best ones that fit the budget.
  /// The stage never fails. Needs the library `handoff-context`; without it the answer is
  /// [ContextAnswer.NotInstalled].
  CompletionStage<ContextAnswer> assemble(ContextRequest request);

  /// Assembles context until the token is cancelled; the cancel also stops everything that the
  /// request started.
  CompletionStage<ContextAnswer> assemble(ContextRequest request, CancellationToken stop);

  /// Job events from the moment when the stream is run. The stream is bounded and lossy by
  /// contract: it fails with an [EventGapException] for a watcher that is too slow. It completes
  /// when the engine ends.
  Source<JobEvent, NotUsed> events();

  /// Job events after a given event, and all later ones. The stream fails with an
  /// [EventGapException] if some of these events are no longer kept, or if the number belongs to an
  /// earlier engine.
  ///
  /// @param number number of the last event that the watcher has seen
  Source<JobEvent, NotUsed> eventsAfter(long number);

  /// Materializer for streams such as [#events], for hosts without an actor system of their own. It
  /// ends with the engine.
  Materializer materializer();

  /// Health of the engine, also when it is down or closed.
  CompletionStage<Health> health();

  /// Closes the engine in order. Workers claim no new jobs. Running attempts have `shutdown-grace`
  /// to end and are then cancelled; their jobs run again at the next start, unless they may start
  /// only once. Then the store is closed. Idempotent; blocks until the engine is closed. Do not
  /// call this method on an actor's or a handler's thread.
  ///
  /// An attempt that does not stop, or whose end cannot be recorded because the store is away, is
  /// found lost by the next start. Submissions in flight are answered as unavailable: whether they
  /// were accepted is then unknown.
  @Override
  void close();
}
