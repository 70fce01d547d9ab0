package dev.handoff.dispatch;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.job.Contribution;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobSpec;
import dev.handoff.job.JobState;
import dev.handoff.job.Json;
import dev.handoff.job.Notes;
import dev.handoff.job.Phase;
import dev.handoff.job.Progress;
import dev.handoff.job.Watchers;
import dev.handoff.job.WorkerOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// One attempt as its handler's thread sees it. What the handler says goes to the worker or the job
/// as a message; what it asks for comes back as a stage.
public final class Attempt {

  private static final Duration ASK = Duration.ofSeconds(30);
  private static final long NANOS_BETWEEN_EVENTS = Duration.ofMillis(100).toNanos();
  private static final long NANOS_BETWEEN_NOTES = Duration.ofSeconds(1).toNanos();
  private static final AtomicLongFieldUpdater<Attempt> EVENT_AT =
      AtomicLongFieldUpdater.newUpdater(Attempt.class, "eventAt");
  private static final AtomicLongFieldUpdater<Attempt> NOTE_AT =
      AtomicLongFieldUpdater.newUpdater(Attempt.class, "noteAt");
  private static final AtomicReferenceFieldUpdater<Attempt, Waits> WAITS =
      AtomicReferenceFieldUpdater.newUpdater(Attempt.class, Waits.class, "waits");
  private static final AtomicReferenceFieldUpdater<Attempt, CheckpointLine> CHECKPOINTS =
      AtomicReferenceFieldUpdater.newUpdater(Attempt.class, CheckpointLine.class, "checkpoints");

  private final WorkerOrder.Run order;
  private final CancellationSource cancellation = new CancellationSource();
  private final Worker.Environment environment;
  private final ActorRef<Worker.Command> worker;
  private final LineRing lines = new LineRing();

  private volatile long aliveAt;
  private volatile long eventAt;
  private volatile long noteAt;
  private volatile @Nullable Progress progress;
  private volatile @Nullable Waits waits;
  private volatile @Nullable CheckpointLine checkpoints;
  private volatile @Nullable Contribution contribution;
  private volatile @Nullable Duration later;
  private volatile boolean over;

  Attempt(WorkerOrder.Run order, Worker.Environment environment, ActorRef<Worker.Command> worker) {
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

  /// Leaves something in the plan, if the attempt succeeds. What was said before is forgotten.
  public void contribute(@Nullable Contribution made) {
    contribution = made;
  }

  @Nullable Contribution contribution() {
    return contribution;
  }

  /// Wants another attempt after this time, once the handler has returned; what it returns is no
  /// result then. What was said before is forgotten.
  public void later(Duration delay) {
    heartbeat();
    later = delay;
  }

  /// After which time the handler wants to be called again; empty if it does not.
  public Optional<Duration> later() {
    return Optional.ofNullable(later);
  }

  /// Says that the attempt is alive.
  public void heartbeat() {
    aliveAt = environment.machine().nanoTime();
  }

  /// Keeps a line; the newest hundred are kept.
  public void log(@Nullable String line) {
    heartbeat();
    lines.add(line);
  }

  /// Keeps the newest; passes on at most ten a second, and writes at most one a second.
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

  /// What is not taken now is told with the next one.
  private void note(Notes said) {
    var note = new JobCommand.Note(order.attempt(), said);
    environment
        .questions()
        .<Job.Command, JobReply, Boolean>ask(
            order.reportTo(),
            replyTo -> new Job.Do(note, replyTo),
            ASK,
            IllegalStateException::new,
            (reply, failure) -> {
              boolean isOpen = reply instanceof JobReply.Unavailable;
              if (isOpen) {
                lines.giveBack(said.log());
              }
              return isOpen;
            });
  }

  /// Whether it is time again, for one thread of those that ask at once.
  private boolean isDue(AtomicLongFieldUpdater<Attempt> last, long nanosBetween) {
    long then = last.get(this);
    long now = aliveAt;
    return now - then >= nanosBetween && last.compareAndSet(this, then, now);
  }

  /// Keeps a value for the next attempt. The answer comes when it, or a newer one, is durable,
  /// however long that takes. It fails when the attempt is cancelled, or the engine ends, before.
  public CompletionStage<JobReply> checkpoint(Json value) {
    heartbeat();
    if (checkpoints == null) {
      CHECKPOINTS.compareAndSet(this, null, checkpointLine());
    }
    if (over) {
      checkpoints.close();
    }
    return checkpoints.keep(value);
  }

  private CheckpointLine checkpointLine() {
    return new CheckpointLine(
        this::askToKeep, environment.questions(), cancellation(), this::heartbeat);
  }

  private CompletionStage<JobReply> askToKeep(Json value) {
    return ask(replyTo -> new Job.Do(new JobCommand.Checkpoint(order.attempt(), value), replyTo));
  }

  /// Submits a child.
  public CompletionStage<JobReply> submit(JobSpec spec) {
    heartbeat();
    return ask(replyTo -> new Job.AddChild(order.attempt(), spec, replyTo));
  }

  /// Waits for a job to end; meanwhile the worker runs something else. For the handler's own
  /// thread: if several threads wait, the attempt takes its place again with the first that goes
  /// on.
  ///
  /// @throws dev.handoff.cancel.CancelledException if the attempt is cancelled while it waits
  /// @throws IllegalStateException if the handler ends while another thread of it waits
  /// @throws InterruptedException if it is interrupted while it waits
  public JobState await(JobId id) throws InterruptedException {
    if (waits == null) {
      WAITS.compareAndSet(this, null, new Waits(cancellation()));
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
    if (child.phase() instanceof Phase.Cancelled && waits.await(isBeingCancelled())) {
      // Its cancel has reached the child first, and is on its way here.
      return waits.await(new CompletableFuture<>());
    }
    return child;
  }

  private CompletableFuture<Boolean> isBeingCancelled() {
    return route(order.job(), ASK, Job.Get::new)
        .<Boolean>handle(
            (reply, failure) ->
                reply instanceof JobReply.Done(var own) && own.phase() instanceof Phase.Stopping)
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

  /// Whether the child has ended already: then there is nothing to wait for.
  private CompletableFuture<Boolean> look(JobId child, CompletableFuture<JobState> ended) {
    return route(child, ASK, Job.Get::new)
        .<Boolean>handle(
            (reply, failure) ->
                reply instanceof JobReply.Done(var state) && state.ended() && ended.complete(state))
        .toCompletableFuture();
  }

  private CompletionStage<JobReply> askForEnd(JobId child) {
    return route(child, Watchers.PATIENCE, Job.Watch::new);
  }

  private CompletionStage<JobReply> ask(Function<ActorRef<JobReply>, Job.Command> message) {
    return route(order.job(), ASK, message);
  }

  private CompletionStage<JobReply> route(
      JobId job, Duration patience, Function<ActorRef<JobReply>, Job.Command> message) {
    return environment
        .questions()
        .ask(
            environment.router(),
            replyTo -> new ForJob(job, message.apply(replyTo)),
            patience,
            IllegalStateException::new);
  }

  CancellationSource source() {
    return cancellation;
  }

  /// The handler has ended. Threads of its own that still wait for children go on without them.
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

  /// For how long there has been no sign of life. A handler whose checkpoint is not durable yet may
  /// be waiting for it.
  Duration silence() {
    var kept = checkpoints;
    return kept != null && kept.isOpen()
        ? Duration.ZERO
        : Duration.ofNanos(environment.machine().nanoTime() - aliveAt);
  }

  /// What the attempt has said since the last time.
  Notes notes() {
    var said = lines.take();
    var seen = progress;
    return said.isEmpty() && seen == null ? Notes.NONE : new Notes(said, seen);
  }
}
