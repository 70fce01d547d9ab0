package dev.handoff.dispatch;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.cancel.CancelledException;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobSpec;
import dev.handoff.job.JobState;
import dev.handoff.job.Json;
import dev.handoff.job.Notes;
import dev.handoff.job.Progress;
import dev.handoff.job.WorkerOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.jspecify.annotations.Nullable;

/// One attempt as its handler's thread sees it. What the handler says goes to the worker or the job as a message; what
/// it asks for comes back as a stage.
public final class Attempt {

  private static final Duration ASK = Duration.ofSeconds(30);
  private static final long NANOS_BETWEEN_EVENTS = Duration.ofMillis(100).toNanos();
  private static final long NANOS_BETWEEN_NOTES = Duration.ofSeconds(1).toNanos();

  private final WorkerOrder.Run order;
  private final CancellationSource cancellation = new CancellationSource();
  private final Worker.Environment environment;
  private final ActorRef<Worker.Command> worker;
  private final LineRing lines = new LineRing();

  private volatile long aliveAt = System.nanoTime();
  private volatile @Nullable Progress progress;
  private volatile long eventAt = aliveAt - NANOS_BETWEEN_EVENTS;
  private volatile long noteAt = aliveAt;

  Attempt(WorkerOrder.Run order, Worker.Environment environment, ActorRef<Worker.Command> worker) {
    this.order = order;
    this.environment = environment;
    this.worker = worker;
  }

  public JobId job() {
    return order.job();
  }

  public int number() {
    return order.attempt();
  }

  public JobSpec spec() {
    return order.spec();
  }

  public Optional<Json> lastCheckpoint() {
    return Optional.ofNullable(order.checkpoint());
  }

  public CancellationToken cancellation() {
    return cancellation.token();
  }

  /// Says that the attempt is alive.
  public void heartbeat() {
    aliveAt = System.nanoTime();
  }

  public void log(String line) {
    heartbeat();
    lines.add(line);
  }

  /// Keeps the newest; passes on at most ten a second, and writes at most one a second.
  public void progress(Progress value) {
    heartbeat();
    progress = value;
    long now = System.nanoTime();
    if (now - eventAt >= NANOS_BETWEEN_EVENTS) {
      eventAt = now;
      environment.progress().tell(new ProgressSeen(order.job(), order.attempt(), order.spec().type(), order.spec().queue(), value));
    }
    if (now - noteAt >= NANOS_BETWEEN_NOTES) {
      noteAt = now;
      var note = new JobCommand.Note(order.attempt(), notes());
      order.reportTo().tell(new Job.Do(note, environment.system().<JobReply>ignoreRef()));
    }
  }

  /// Keeps a value for the next attempt. The answer comes when it is durable.
  public CompletionStage<JobReply> checkpoint(Json value) {
    heartbeat();
    return ask(replyTo -> new Job.Do(new JobCommand.Checkpoint(order.attempt(), value), replyTo));
  }

  /// Submits a child.
  public CompletionStage<JobReply> submit(JobSpec spec) {
    heartbeat();
    return ask(replyTo -> new Job.AddChild(order.attempt(), spec, replyTo));
  }

  /// Waits for a job to end; meanwhile the worker runs something else.
  ///
  /// @throws InterruptedException if the attempt is interrupted while it waits
  public JobState await(JobId child) throws InterruptedException {
    var ended = new CompletableFuture<JobState>();
    cancellation().onCancel(why -> ended.completeExceptionally(new CancelledException(why)));
    watch(child, ended);
    if (!ended.isDone()) {
      worker.tell(new Worker.Park(order.credit()));
      try {
        get(ended);
      } finally {
        var resumed = new CompletableFuture<Void>();
        worker.tell(new Worker.Unpark(order.credit(), resumed));
        get(resumed);
      }
    }
    heartbeat();
    return get(ended);
  }

  /// Asks until it is answered: the child's partition may move while it runs.
  private void watch(JobId child, CompletableFuture<JobState> ended) {
    this.<JobReply>route(child, Job.Watch::new)
        .whenComplete(
            (reply, failure) -> {
              switch (reply) {
                case null -> watch(child, ended);
                case JobReply.Done(var state) -> ended.complete(state);
                case JobReply other -> ended.completeExceptionally(new IllegalStateException("job " + child + " does not exist"));
              }
            });
  }

  private CompletionStage<JobReply> ask(Function<ActorRef<JobReply>, Job.Command> message) {
    return route(order.job(), message);
  }

  private <T> CompletionStage<JobReply> route(JobId job, Function<ActorRef<JobReply>, Job.Command> message) {
    return AskPattern.ask(
        environment.router(),
        replyTo -> new ForJob(job, message.apply(replyTo)),
        ASK,
        environment.system().scheduler());
  }

  private static <T> T get(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
    }
  }

  CancellationSource source() {
    return cancellation;
  }

  /// The time of the last sign of life, on the clock of `System.nanoTime`.
  long aliveAt() {
    return aliveAt;
  }

  /// What the attempt has said since the last time.
  Notes notes() {
    return new Notes(lines.take(), progress);
  }
}
