package dev.handoff.internal.dispatch.pool;

import dev.handoff.JobId;
import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.PoolMessage;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.dispatch.worker.Worker;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.text.DurationWords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// Gives credits of idle workers in turn to the dispatchers that want them, and takes them back.
/// The number of running attempts is bounded by the pool's places: an attempt that waits for a
/// child does not count, and waits for a place to resume.
///
/// ```
/// a worker:  idle ─▶ working (its credit is with a dispatcher, or its attempt runs) ─▶ reporting ─▶ idle
///                        ├─ parked ─▶ asking ─▶ returning ─▶ working
///                        └─ abandoned ─▶ idle
/// ```
public final class WorkerPoolActor extends AbstractMatchingBehavior<WorkerPool.Command> {

  private static final Cancellation FORGOTTEN =
      leaseLost("the attempt is not the job's current one any more");
  private static final Cancellation SILENT =
      leaseLost("the job's partition has not answered for the time of a lease");
  private static final Cancellation DOWN = leaseLost("the engine is down");
  private static final Cancellation SHUTDOWN =
      new Cancellation(Cancellation.Cause.SHUTDOWN, "shutdown", "handoff");

  private static final WorkerPool.Alarm GRACE_OVER = WorkerPool.Alarm.GRACE_OVER;

  private final TimerScheduler<WorkerPool.Command> timers;
  private final PoolId id;
  private final boolean remote;
  private final Worker.Environment environment;
  private final WorkerRoster roster;
  private final DispatcherLinks links = new DispatcherLinks();
  private final DispatcherSender dispatchers;
  private final PlaceSharing places;
  private final WorkerLeases leases;
  private final List<ActorRef<WorkerPool.Stopped>> stopping = new ArrayList<>();

  private int hired;
  private boolean graceOver;

  /// @param remote whether heartbeats decide that this pool is alive, instead of watching its actor
  public static Behavior<WorkerPool.Command> create(
      PoolId id, boolean remote, Worker.Environment environment) {
    return FatalErrorGuard.setup(
        WorkerPool.Command.class,
        context -> {
          context.setLoggerName(WorkerPool.class);
          return Behaviors.withTimers(
              timers -> new WorkerPoolActor(context, timers, id, remote, environment));
        });
  }

  private WorkerPoolActor(
      ActorContext<WorkerPool.Command> context,
      TimerScheduler<WorkerPool.Command> timers,
      PoolId id,
      boolean remote,
      Worker.Environment environment) {
    super(context);
    this.timers = timers;
    this.id = id;
    this.remote = remote;
    this.environment = environment;
    int workers = environment.settings().workers();
    roster = new WorkerRoster(workers, this::hire);
    var types = environment.code().keySet();
    var introduction =
        new PoolMessage.Register(
            id, types, workers, PlaceSharing.lends(workers), remote, getContext().getSelf());
    dispatchers = new DispatcherSender(introduction, links);
    places = new PlaceSharing(workers, roster, links, dispatchers);
    leases = new WorkerLeases(links, environment.settings(), now());
    var tick = WorkerPool.Alarm.TICK;
    timers.startTimerWithFixedDelay(tick, tick, environment.settings().heartbeat());
  }

  private static Cancellation leaseLost(String reason) {
    return new Cancellation(Cancellation.Cause.LEASE_LOST, reason, "handoff");
  }

  @Override
  public Behavior<WorkerPool.Command> onMessage(WorkerPool.Command message) {
    switch (message) {
      case WorkerPool.FromWorker from -> onWorker(from, roster.get(from.name()));
      case WorkerPool.Want want -> onWant(want);
      case WorkerPool.GiveBack(long credit) -> onGiveBack(credit);
      case WorkerPool.Registered registered -> onRegistered(registered);
      case WorkerPool.BeatAnswered answered -> onBeatAnswered(answered);
      case WorkerPool.MayGoOn(long credit, int round) -> onMayGoOn(credit, round);
      case WorkerPool.Meet(int partition, var dispatcher) -> onMeet(partition, dispatcher);
      case WorkerPool.GetLoad(var replyTo) -> replyTo.tell(load());
      case WorkerPool.Shutdown(var replyTo) -> onShutdown(replyTo);
      case WorkerPool.Revoke now -> closeAll(DOWN);
      case WorkerPool.Alarm why -> onAlarm(why);
    }
    return stopping.isEmpty() || !roster.isDone() ? this : stopped();
  }

  @Override
  public Behavior<WorkerPool.Command> onSignal(Signal signal) {
    return switch (signal) {
      case Terminated gone -> onTerminated(gone);
      default -> Behaviors.unhandled();
    };
  }

  private void onAlarm(WorkerPool.Alarm why) {
    switch (why) {
      case TICK -> onTick();
      case GRACE_OVER -> onGraceOver();
    }
  }

  private PoolWorker hire() {
    var name = "worker-" + ++hired;
    var worker = getContext().spawn(Worker.create(name, environment, getContext().getSelf()), name);
    getContext().watch(worker);
    return new PoolWorker(name, worker);
  }

  private void dismiss(PoolWorker worker) {
    getContext().unwatch(worker.ref);
    getContext().stop(worker.ref);
  }

  /// An unknown worker was dismissed, or has failed.
  private void onWorker(WorkerPool.FromWorker message, @Nullable PoolWorker worker) {
    if (worker != null && worker.credit == message.credit()) {
      switch (message) {
        case WorkerPool.Idle idle -> onIdle(worker);
        case WorkerPool.HeldUp waits -> roster.holdUp(worker);
        case WorkerPool.Began runs -> roster.begin(worker);
        case WorkerPool.Ended ended -> onEnded(worker);
        case WorkerPool.Parked parked -> onParked(worker, parked.job(), parked.round());
        case WorkerPool.WantsToGoOn wish -> onWantsToGoOn(worker, wish.round());
        case WorkerPool.Abandoned over -> onAbandoned(worker);
      }
    }
  }

  private void onIdle(PoolWorker worker) {
    var dismissed = roster.release(worker);
    if (dismissed != null) {
      dismiss(dismissed);
    }
    share();
  }

  private void onEnded(PoolWorker worker) {
    roster.report(worker);
    share();
  }

  private void share() {
    places.share(stopping.isEmpty());
  }

  private void onWant(WorkerPool.Want want) {
    var link = links.get(want.partition(), want.epoch());
    if (link != null) {
      link.want(want);
      share();
    }
  }

  /// The worker closes the credit itself, because an order for it may already be in its mailbox.
  private void onGiveBack(long credit) {
    var worker = roster.of(credit);
    if (worker != null) {
      close(worker, FORGOTTEN);
    }
  }

  private void onParked(PoolWorker worker, JobId job, int round) {
    if (round > worker.round && worker.doing == PoolWorker.Doing.WORKING) {
      roster.park(worker, job, round);
      dispatchers.waiting(worker);
      share();
    }
  }

  /// A working attempt that asks again has missed `GoOn`.
  private void onWantsToGoOn(PoolWorker worker, int round) {
    if (worker.round == round && worker.doing == PoolWorker.Doing.PARKED) {
      worker.doing = PoolWorker.Doing.ASKING;
      dispatchers.waiting(worker);
    } else if (worker.round == round && worker.doing == PoolWorker.Doing.WORKING) {
      PlaceSharing.goOn(worker);
    }
  }

  private void onMayGoOn(long credit, int round) {
    var worker = roster.of(credit);
    if (worker != null && worker.doing == PoolWorker.Doing.ASKING && worker.round == round) {
      roster.mayReturn(worker);
      share();
    }
  }

  private void onAbandoned(PoolWorker worker) {
    if (worker.doing != PoolWorker.Doing.ABANDONED) {
      roster.abandon(worker);
    }
  }

  private void onMeet(int partition, ActorRef<Dispatcher.Command> dispatcher) {
    links.meet(partition, dispatcher);
    introduce(dispatcher);
  }

  /// Registers with a dispatcher; a stopping pool signs off instead.
  private void introduce(ActorRef<Dispatcher.Command> dispatcher) {
    if (stopping.isEmpty()) {
      dispatchers.register(dispatcher);
    } else {
      dispatchers.leave(dispatcher);
    }
  }

  private void onRegistered(WorkerPool.Registered registered) {
    if (links.register(registered, now())) {
      getContext().watch(registered.dispatcher());
    }
  }

  /// Replaces a failed worker; its attempt is lost with the next heartbeat, which omits it. A
  /// failed dispatcher's credits are resolved by heartbeats to its successor.
  private Behavior<WorkerPool.Command> onTerminated(Terminated gone) {
    var worker = roster.of(gone.getRef());
    if (worker != null) {
      getContext().getLog().error("worker [{}] has failed: there is a new one", worker.name);
      roster.lose(worker);
      share();
    }
    links.remove(gone.getRef());
    return this;
  }

  /// Repeats all levels, and detects silent dispatchers.
  private void onTick() {
    long now = now();
    for (var worker : roster.given()) {
      worker.ref.tell(new Worker.Repeat(worker.credit));
      dispatchers.waiting(worker);
    }
    links.met().forEach(this::introduce);
    dispatchers.beat(now, places.lastCredit(), roster.given());
    if (remote) {
      leases.over(now).forEach(this::loseLease);
    }
    stopWhatIsLeft();
  }

  private void loseLease(DispatcherLink link) {
    roster.given().stream()
        .filter(worker -> worker.partition == link.partition)
        .forEach(worker -> close(worker, SILENT));
  }

  private void onBeatAnswered(WorkerPool.BeatAnswered answered) {
    var link = links.get(answered.partition(), answered.epoch());
    if (link != null) {
      link.answered(answered.sentAt());
    }
  }

  private void onShutdown(ActorRef<WorkerPool.Stopped> replyTo) {
    if (stopping.isEmpty()) {
      var grace = environment.settings().shutdownGrace();
      timers.startSingleTimer(GRACE_OVER, GRACE_OVER, grace);
      tellWhatRuns("the engine is closing: [{}] attempts of [{}] have [{}] to end", grace);
    }
    stopping.add(replyTo);
    links.met().forEach(this::introduce);
  }

  private void onGraceOver() {
    graceOver = true;
    tellWhatRuns(
        "the engine is closing: [{}] attempts of [{}] are stopped, their grace of [{}] is over",
        environment.settings().shutdownGrace());
    stopWhatIsLeft();
  }

  private void tellWhatRuns(String words, Duration grace) {
    int running = places.busy() + roster.waiting() - roster.abandoned();
    if (running > 0) {
      getContext().getLog().info(words, running, id, DurationWords.exact(grace));
    }
  }

  /// Stops attempts that still run after the grace, and closes credits still open at dispatchers.
  private void stopWhatIsLeft() {
    if (graceOver) {
      closeAll(SHUTDOWN);
    }
  }

  private void closeAll(Cancellation why) {
    roster.given().forEach(worker -> close(worker, why));
  }

  private static void close(PoolWorker worker, Cancellation why) {
    worker.ref.tell(new Worker.Close(worker.credit, why));
  }

  private Behavior<WorkerPool.Command> stopped() {
    stopping.forEach(waiting -> waiting.tell(new WorkerPool.Stopped(roster.abandoned())));
    return Behaviors.stopped();
  }

  private WorkerPool.Load load() {
    return new WorkerPool.Load(
        id,
        environment.settings().workers(),
        places.busy(),
        roster.waiting(),
        roster.abandoned(),
        roster.heldUp());
  }

  private long now() {
    return environment.machine().nanoTime();
  }
}
