package dev.handoff;

import dev.handoff.engine.Engine;
import dev.handoff.engine.EngineSettings;
import dev.handoff.engine.Gateway;
import dev.handoff.dispatch.WorkerPool;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobState;
import dev.handoff.job.SubmitReply;
import dev.handoff.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Scheduler;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Source;

/// A durable execution engine. Jobs that it accepts are durable, and each is handed to exactly one worker at a time.
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
/// Everything is asynchronous and may be called from any thread. Answers are sealed types: a refusal is an answer, not
/// an exception.
public final class Handoff implements AutoCloseable {

  private static final Duration ASK = Duration.ofSeconds(30);
  private static final Duration WATCH = Duration.ofMinutes(1);
  private static final Duration CLOSE = Duration.ofMinutes(10);
  private static final int SUBMISSIONS_UNDER_WAY = 1_024;

  private final Inside inside;

  /// What a facade needs of its engine.
  ///
  /// @param own whether the actor system belongs to this engine, and ends with it
  /// @param types what can be run here
  record Inside(
      ActorSystem<?> system,
      boolean own,
      ActorRef<Engine.Command> engine,
      Engine.Ready doors,
      Store store,
      JsonFormat json,
      InstantSource clock,
      Set<String> types,
      EngineSettings settings) {}

  Handoff(Inside inside) {
    this.inside = inside;
  }

  /// An engine with an actor system of its own. It takes `handoff { }` from the configuration of the host and nothing
  /// else, and never ends the host's JVM.
  public static HandoffBuilder builder() {
    return new HandoffBuilder(null);
  }

  /// An engine on a running actor system. Its configuration has to keep the system alive: set
  /// `pekko.jvm-exit-on-fatal-error = off` and `pekko.coordinated-shutdown.exit-jvm = off` where the host must survive,
  /// and on JDK 25 `pekko.actor.default-dispatcher.fork-join-executor.minimum-runnable = -1`. Close the engine before
  /// the system is terminated.
  public static HandoffBuilder on(ActorSystem<?> system) {
    HostCheck.warn(system);
    return new HandoffBuilder(system);
  }

  /// Submits a job. Answered when it is durable.
  public CompletionStage<Submission> submit(JobRequest request) {
    if (!inside.types().contains(request.type())) {
      return CompletableFuture.completedStage(new Submission.UnknownType(request.type(), new TreeSet<>(inside.types())));
    }
    try {
      var spec = request.toSpec(inside.clock().instant(), inside.json());
      return AskPattern.<Gateway.Command, SubmitReply>ask(
              inside.doors().gateway(), replyTo -> new Gateway.Submit(spec, replyTo), ASK, scheduler())
          .handle(this::submission);
    } catch (InvalidRequestException e) {
      return CompletableFuture.completedStage(new Submission.Invalid(e.problems()));
    }
  }

  /// Submits a job and waits until it is durable. Not for an actor's thread.
  ///
  /// @throws SubmissionRefusedException if it is not accepted
  public JobHandle submitOrThrow(JobRequest request) {
    return submit(request).toCompletableFuture().join().orThrow();
  }

  /// Submits a stream of jobs, in order, with back-pressure: at most a thousand are on their way. A job that is not
  /// accepted fails the stream with a [SubmissionRefusedException]; one that is there already, under the same key, is
  /// passed on as accepted.
  public Flow<JobRequest, Submission.Accepted, NotUsed> submitAll() {
    return Flow.of(JobRequest.class)
        .mapAsync(SUBMISSIONS_UNDER_WAY, this::submit)
        .map(submission -> new Submission.Accepted(submission.orThrow()));
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
    var reply = askJob(id, replyTo -> new Job.Do(new JobCommand.Cancel(reason, by), replyTo));
    return new Cancelling(reply.thenApply(Handoff::requested), reply.thenCompose(answer -> ended(id, answer)));
  }

  /// Opens a failed or cancelled job again, as a new attempt with a new token.
  ///
  /// @param by who asks for it; recorded with the job
  public CompletionStage<RetryAnswer> retry(JobId id, String by) {
    return askJob(id, replyTo -> new Job.Do(new JobCommand.Retry(by), replyTo)).thenApply(reply -> retried(id, reply));
  }

  /// A job as it is now, live or ended; empty if there is none.
  public CompletionStage<Optional<JobInfo>> job(JobId id) {
    return askJob(id, Job.Get::new)
        .thenApply(
            reply -> reply instanceof JobReply.Done(var state) ? Optional.of(new JobInfo(state, now())) : none(reply));
  }

  /// Some jobs, live and ended, newest first.
  ///
  /// @param cursor where the page before this one ended; empty for the first
  /// @param limit 1 to 10,000
  public CompletionStage<JobPage> jobs(JobFilter filter, Optional<String> cursor, int limit) {
    return new Lists(inside).page(filter, cursor, limit);
  }

  /// The queues: what they hold, and what holds for them.
  public QueueCommands queues() {
    return new QueueDesk(inside);
  }

  /// What happens from now on. Bounded and lossy by contract: a watcher that is too slow fails with an
  /// [EventGapException].
  public Source<JobEvent, NotUsed> events() {
    return EventStream.after(-1, inside);
  }

  /// What has happened since an event, and from then on.
  ///
  /// @param number of the last event that was seen
  public Source<JobEvent, NotUsed> eventsAfter(long number) {
    return EventStream.after(number, inside);
  }

  /// How the engine is.
  public CompletionStage<Health> health() {
    return AskPattern.<Engine.Command, Engine.HealthReport>ask(
            inside.engine(), Engine.GetHealth::new, ASK, scheduler())
        .thenApply(
            report -> {
              var pool = report.pool();
              return pool == null
                  ? new Health(report.ready(), report.problems(), 0, 0, 0)
                  : new Health(report.ready(), report.problems(), pool.workers(), pool.busy(), pool.abandoned());
            });
  }

  /// Stops in order: nothing new is claimed, running attempts have `shutdown-grace` to end and are then cancelled; they
  /// are run again at the next start. Then the store is closed. Idempotent; waits until it is done.
  @Override
  public void close() {
    try {
      AskPattern.<Engine.Command, WorkerPool.Stopped>ask(inside.engine(), Engine.Shutdown::new, CLOSE, scheduler())
          .toCompletableFuture()
          .join();
    } catch (CompletionException | IllegalStateException alreadyClosed) {
      // Nothing is left that could be stopped in order.
    }
    if (inside.own()) {
      inside.system().terminate();
      inside.system().getWhenTerminated().toCompletableFuture().join();
    }
    inside.store().close();
  }

  CompletionStage<Outcome> result(JobId id) {
    return watch(id).thenApply(Outcomes::of);
  }

  CompletionStage<JobInfo> ended(JobId id) {
    return watch(id).thenApply(state -> new JobInfo(state, now()));
  }

  /// Asks again and again until the job has ended: a watch costs little, and its answer may be lost with its partition.
  private CompletionStage<JobState> watch(JobId id) {
    return askJob(id, Job.Watch::new, WATCH)
        .handle(
            (reply, failure) ->
                switch (reply) {
                  case null -> watch(id);
                  case JobReply.Done(var state) -> CompletableFuture.completedStage(state);
                  case JobReply.NotFound none ->
                      CompletableFuture.<JobState>failedStage(new JobNotFoundException(id));
                  case JobReply other -> watch(id);
                })
        .thenCompose(Function.identity());
  }

  private static Cancelling.CancelRequestAnswer requested(JobReply reply) {
    return switch (reply) {
      case JobReply.Done done -> Cancelling.CancelRequestAnswer.REQUESTED;
      case JobReply.AlreadyFinished over -> Cancelling.CancelRequestAnswer.ALREADY_FINISHED;
      case JobReply.NotFound none -> Cancelling.CancelRequestAnswer.NOT_FOUND;
      case JobReply other -> throw new UnavailableException(other);
    };
  }

  private CompletionStage<CancelReport> ended(JobId id, JobReply reply) {
    return switch (reply) {
      case JobReply.Done done -> watch(id).thenApply(Outcomes::report);
      case JobReply.AlreadyFinished(var state) ->
          CompletableFuture.completedStage(new CancelReport.Already(id, state.status(now())));
      case JobReply.NotFound none -> CompletableFuture.completedStage(new CancelReport.NotFound(id));
      case JobReply other -> throw new UnavailableException(other);
    };
  }

  private RetryAnswer retried(JobId id, JobReply reply) {
    return switch (reply) {
      case JobReply.Done done -> new RetryAnswer.Reopened(handle(id));
      case JobReply.AlreadyFinished(var state) -> new RetryAnswer.NotPossible(id, state.status(now()));
      case JobReply.Declined(var state, var reason) -> new RetryAnswer.NotPossible(id, state.status(now()));
      case JobReply.NotFound none -> new RetryAnswer.NotFound(id);
      case JobReply.Unavailable(var job, var reason, var retryAfter) -> new RetryAnswer.Unavailable(reason, retryAfter);
      case JobReply other -> throw new UnavailableException(other);
    };
  }

  private static Optional<JobInfo> none(JobReply reply) {
    if (reply instanceof JobReply.NotFound) {
      return Optional.empty();
    }
    throw new UnavailableException(reply);
  }

  private Submission submission(SubmitReply reply, Throwable failure) {
    return switch (reply) {
      case null ->
          new Submission.Unavailable("no answer within " + ASK.toSeconds() + " s", inside.settings().ledger().retryAfter());
      case SubmitReply.Accepted(var id) -> new Submission.Accepted(handle(id));
      case SubmitReply.Existing(var id) -> new Submission.Existing(handle(id));
      case SubmitReply.KeyConflict(var holder, var key) -> new Submission.KeyConflict(key, holder);
      case SubmitReply.Refused(var reason) -> new Submission.Refused(reason);
      case SubmitReply.Unavailable(var reason, var retryAfter) -> new Submission.Unavailable(reason, retryAfter);
    };
  }

  private CompletionStage<JobReply> askJob(JobId id, Function<ActorRef<JobReply>, Job.Command> message) {
    return askJob(id, message, ASK);
  }

  private CompletionStage<JobReply> askJob(
      JobId id, Function<ActorRef<JobReply>, Job.Command> message, Duration patience) {
    return AskPattern.ask(
        inside.doors().gateway(),
        replyTo -> new Gateway.Route(new ForJob(id, message.apply(replyTo))),
        patience,
        scheduler());
  }

  private Scheduler scheduler() {
    return inside.system().scheduler();
  }

  private Instant now() {
    return inside.clock().instant();
  }
}
