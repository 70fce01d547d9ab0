package dev.handoff.internal.dispatch.worker;

import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.ChildReply;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.JobWatchers;
import dev.handoff.internal.job.Progress;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.job.StepContribution;
import dev.handoff.internal.job.WatchReply;
import dev.handoff.internal.job.WorkerOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// One attempt as seen by its handler's thread. Statements of the handler become messages to worker
/// or job; requests return a stage.
public final class HandlerAttempt {

  private static final Duration ASK = Duration.ofSeconds(30);
  private static final long NANOS_BETWEEN_EVENTS = Duration.ofMillis(100).toNanos();
  private static final long NANOS_BETWEEN_NOTES = Duration.ofSeconds(1).toNanos();
  private static final AtomicLongFieldUpdater<HandlerAttempt> EVENT_AT =
      AtomicLongFieldUpdater.newUpdater(HandlerAttempt.class, "eventAt");
  private static final AtomicLongFieldUpdater<HandlerAttempt> NOTE_AT =
      AtomicLongFieldUpdater.newUpdater(HandlerAttempt.class, "noteAt");
  private static final AtomicReferenceFieldUpdater<HandlerAttempt, ChildWaits> WAITS =
      AtomicReferenceFieldUpdater.newUpdater(HandlerAttempt.class, ChildWaits.class, "waits");
  private static final AtomicReferenceFieldUpdater<HandlerAttempt, CheckpointWriter> CHECKPOINTS =
      AtomicReferenceFieldUpdater.newUpdater(
          HandlerAttempt.class, CheckpointWriter.class, "checkpoints");

  private final WorkerOrder.Run order;
  private final CancellationSource cancellation = new CancellationSource();
  private final Worker.Environment environment;
  private final ActorRef<Worker.Command> worker;
  private final RecentLogLines lines = new RecentLogLines();

  private volatile long aliveAt;
  private volatile long eventAt;
  private volatile long noteAt;
  private volatile @Nullable Progress progress;
  private volatile @Nullable ChildWaits waits;
  private volatile @Nullable CheckpointWriter checkpoints;
  private volatile @Nullable StepContribution contribution;
  private volatile @Nullable Duration later;
  private volatile boolean over;

  HandlerAttempt(
      WorkerOrder.Run order, Worker.Environment environment, ActorRef<Worker.Command> worker) {
    this.order = order;
    this.environment = environment;
    this.worker = worker;
    aliveAt = environment.machine().nanoTime();
    eventAt = aliveAt - NANOS_BETWEEN_EVENTS;
    noteAt = aliveAt;
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

  /// Sets the contribution to the plan, effective if the attempt succeeds. Replaces an earlier one.
  public void contribute(@Nullable StepContribution made) {
    contribution = made;
  }

  @Nullable StepContribution contribution() {
    return contribution;
  }

  /// Requests another attempt after this delay, once the handler has returned; its return value is
  /// then no result. Replaces an earlier request.
  public void later(Duration delay) {
    heartbeat();
    later = delay;
  }

  /// Requested delay until the next attempt; empty if none.
  public Optional<Duration> later() {
    return Optional.ofNullable(later);
  }

  /// Reports that the attempt is alive.
  public void heartbeat() {
    aliveAt = environment.machine().nanoTime();
  }

  /// Adds a log line; the newest hundred are kept.
  public void log(@Nullable String line) {
    heartbeat();
    lines.add(line);
  }

  /// Reports progress; the newest value is kept. At most ten events a second are sent, and at most
  /// one value a second is stored.
  public void progress(Progress value) {
    heartbeat();
    progress = value;
    if (isDue(EVENT_AT, NANOS_BETWEEN_EVENTS)) {
      var spec = order.spec();
      environment
          .progress()
          .tell(new ProgressSeen(order.job(), order.attempt(), spec.type(), spec.queue(), value));
    }
    if (isDue(NOTE_AT, NANOS_BETWEEN_NOTES)) {
      note(notes());
    }
  }

  /// Stores notes. Refused log lines join the next note.
  private void note(AttemptNotes said) {
    var note = new JobCommand.Note(order.attempt(), said);
    environment
        .questions()
        .<Job.Command, ReportReply, Boolean>ask(
            order.reportTo(),
            replyTo -> new Job.UpdateAttempt(note, replyTo),
            ASK,
            IllegalStateException::new,
            (reply, failure) -> {
              boolean isOpen = reply instanceof ReportReply.Unavailable;
              if (isOpen) {
                lines.giveBack(said.log());
              }
              return isOpen;
            });
  }

  /// Claims the next turn after a minimum interval; of concurrent threads only one wins.
  private boolean isDue(AtomicLongFieldUpdater<HandlerAttempt> last, long nanosBetween) {
    long then = last.get(this);
    long now = aliveAt;
    return now - then >= nanosBetween && last.compareAndSet(this, then, now);
  }

  /// Stores a checkpoint for the next attempt. The stage completes when this or a newer checkpoint
  /// is durable, without a time limit. A cancel or the engine's end fails the stage.
  public CompletionStage<ReportReply> checkpoint(Json value) {
    heartbeat();
    if (checkpoints == null) {
      CHECKPOINTS.compareAndSet(this, null, checkpointWriter());
    }
    if (over) {
      checkpoints.close();
    }
    return checkpoints.keep(value);
  }

  private CheckpointWriter checkpointWriter() {
    return new CheckpointWriter(
        this::askToKeep, environment.questions(), cancellation(), this::heartbeat);
  }

  private CompletionStage<ReportReply> askToKeep(Json value) {
    var checkpoint = new JobCommand.Checkpoint(order.attempt(), value);
    return ask(replyTo -> new Job.UpdateAttempt(checkpoint, replyTo));
  }

  /// Submits a child.
  public CompletionStage<ChildReply> submit(JobSpec spec) {
    heartbeat();
    return ask(replyTo -> new Job.AddChild(order.attempt(), spec, replyTo));
  }

  /// Waits for a job's end; the worker's place is free meanwhile. Meant for the handler's own
  /// thread. If several threads wait, the first one that resumes takes back the attempt's place.
  ///
  /// @throws dev.handoff.cancel.CancelledException if the attempt is cancelled during the wait
  /// @throws IllegalStateException if the handler ends while another of its threads waits
  /// @throws InterruptedException if the thread is interrupted during the wait
  public JobState await(JobId id) throws InterruptedException {
    if (waits == null) {
      WAITS.compareAndSet(this, null, new ChildWaits(cancellation()));
    }
    if (over) {
      waits.close();
    }
    var ended = new CompletableFuture<JobState>();
    heartbeat();
    if (!waits.await(look(id, ended))) {
      new ChildWatch(id, ended, this::askForEnd, environment.system()).start();
      park(ended);
    }
    var child = waits.await(ended);
    if (child.phase() instanceof JobPhase.Cancelled && waits.await(isBeingCancelled())) {
      // The parent's cancel reached the child first, and reaches this attempt soon.
      return waits.await(new CompletableFuture<>());
    }
    return child;
  }

  private CompletableFuture<Boolean> isBeingCancelled() {
    return route(order.job(), ASK, Job.Get::new)
        .<Boolean>handle(
            (reply, failure) ->
                reply instanceof StateReply.Found(var own)
                    && own.phase() instanceof JobPhase.Stopping)
        .toCompletableFuture();
  }

  private void park(CompletableFuture<JobState> ended) throws InterruptedException {
    worker.tell(new Worker.Park(order.credit()));
    try {
      waits.await(ended);
    } finally {
      var resumed = new CompletableFuture<Void>();
      worker.tell(new Worker.Unpark(order.credit(), resumed));
      waits.await(resumed);
      heartbeat();
    }
  }

  /// Whether the child has ended already: then the attempt need not give up its place.
  private CompletableFuture<Boolean> look(JobId child, CompletableFuture<JobState> ended) {
    return route(child, ASK, Job.Get::new)
        .<Boolean>handle(
            (reply, failure) ->
                reply instanceof StateReply.Found(var state)
                    && state.ended()
                    && ended.complete(state))
        .toCompletableFuture();
  }

  private CompletionStage<WatchReply> askForEnd(JobId child) {
    return route(child, JobWatchers.PATIENCE, Job.Watch::new);
  }

  private <R> CompletionStage<R> ask(Function<ActorRef<R>, Job.Command> message) {
    return route(order.job(), ASK, message);
  }

  private <R> CompletionStage<R> route(
      JobId job, Duration patience, Function<ActorRef<R>, Job.Command> message) {
    return environment
        .questions()
        .ask(
            environment.router(),
            replyTo -> new JobEnvelope(job, message.apply(replyTo)),
            patience,
            IllegalStateException::new);
  }

  CancellationSource source() {
    return cancellation;
  }

  /// Marks the handler's end. Its threads waiting for children are released.
  void end() {
    over = true;
    var kept = checkpoints;
    if (kept != null) {
      kept.close();
    }
    var open = waits;
    if (open != null) {
      open.close();
    }
  }

  /// Time since the last sign of life; zero while a checkpoint is not durable, because the handler
  /// may be waiting for it.
  Duration silence() {
    var kept = checkpoints;
    return kept != null && kept.isOpen()
        ? Duration.ZERO
        : Duration.ofNanos(environment.machine().nanoTime() - aliveAt);
  }

  /// Takes the notes since the last call.
  AttemptNotes notes() {
    var said = lines.take();
    var seen = progress;
    return said.isEmpty() && seen == null ? AttemptNotes.NONE : new AttemptNotes(said, seen);
  }
}
