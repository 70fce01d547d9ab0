package dev.handoff.dispatch;

import dev.handoff.actor.DurationWords;
import dev.handoff.cancel.Cancellation;
import dev.handoff.job.JobId;
import dev.handoff.job.PoolId;
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

/// Gives the credits of idle workers to the dispatchers that want them, in turn, and takes them
/// back. Never more than the set number of attempts run at once: one that waits for a child does
/// not count, and waits for room when it goes on.
///
/// ```
/// a worker:  idle ─▶ working (its credit is with a dispatcher, or its attempt runs) ─▶ reporting ─▶ idle
///                        ├─ parked ─▶ asking ─▶ returning ─▶ working
///                        └─ abandoned ─▶ idle
/// ```
final class WorkerPoolActor extends AbstractMatchingBehavior<WorkerPool.Command> {

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
  private final Crew crew;
  private final Links links = new Links();
  private final ToDispatchers dispatchers;
  private final PlaceSharing places;
  private final Leases leases;
  private final List<ActorRef<WorkerPool.Stopped>> stopping = new ArrayList<>();

  private int hired;
  private boolean graceOver;

  WorkerPoolActor(
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
    crew = new Crew(workers, this::hire);
    var types = environment.code().keySet();
    var introduction =
        new FromPool.Register(
            id, types, workers, PlaceSharing.lends(workers), remote, getContext().getSelf());
    dispatchers = new ToDispatchers(introduction, links);
    places = new PlaceSharing(workers, crew, links, dispatchers);
    leases = new Leases(links, environment.settings(), now());
    var tick = WorkerPool.Alarm.TICK;
    timers.startTimerWithFixedDelay(tick, tick, environment.settings().heartbeat());
  }

  private static Cancellation leaseLost(String reason) {
    return new Cancellation(Cancellation.Cause.LEASE_LOST, reason, "handoff");
  }

  @Override
  public Behavior<WorkerPool.Command> onMessage(WorkerPool.Command message) {
    switch (message) {
      case WorkerPool.FromWorker from -> onWorker(from, crew.get(from.name()));
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
    return stopping.isEmpty() || !crew.isDone() ? this : stopped();
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

  private Member hire() {
    var name = "worker-" + ++hired;
    var worker = getContext().spawn(Worker.create(name, environment, getContext().getSelf()), name);
    getContext().watch(worker);
    return new Member(name, worker);
  }

  private void dismiss(Member member) {
    getContext().unwatch(member.worker);
    getContext().stop(member.worker);
  }

  /// A worker that is not known any more has been dismissed, or has failed.
  private void onWorker(WorkerPool.FromWorker message, @Nullable Member member) {
    if (member != null && member.credit == message.credit()) {
      switch (message) {
        case WorkerPool.Idle idle -> onIdle(member);
        case WorkerPool.HeldUp waits -> crew.holdUp(member);
        case WorkerPool.Began runs -> crew.begin(member);
        case WorkerPool.Ended ended -> onEnded(member);
        case WorkerPool.Parked parked -> onParked(member, parked.job(), parked.round());
        case WorkerPool.WantsToGoOn wish -> onWantsToGoOn(member, wish.round());
        case WorkerPool.Abandoned over -> onAbandoned(member);
      }
    }
  }

  private void onIdle(Member member) {
    var dismissed = crew.release(member);
    if (dismissed != null) {
      dismiss(dismissed);
    }
    share();
  }

  private void onEnded(Member member) {
    crew.report(member);
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

  /// The worker itself closes the credit: an order for it may already be in its mailbox.
  private void onGiveBack(long credit) {
    var member = crew.of(credit);
    if (member != null) {
      close(member, FORGOTTEN);
    }
  }

  private void onParked(Member member, JobId job, int round) {
    if (round > member.round && member.doing == Member.Doing.WORKING) {
      crew.park(member, job, round);
      dispatchers.waiting(member);
      share();
    }
  }

  /// One that has been let go on has not heard of it.
  private void onWantsToGoOn(Member member, int round) {
    if (member.round == round && member.doing == Member.Doing.PARKED) {
      member.doing = Member.Doing.ASKING;
      dispatchers.waiting(member);
    } else if (member.round == round && member.doing == Member.Doing.WORKING) {
      PlaceSharing.goOn(member);
    }
  }

  private void onMayGoOn(long credit, int round) {
    var member = crew.of(credit);
    if (member != null && member.doing == Member.Doing.ASKING && member.round == round) {
      crew.mayReturn(member);
      share();
    }
  }

  private void onAbandoned(Member member) {
    if (member.doing != Member.Doing.ABANDONED) {
      crew.abandon(member);
    }
  }

  private void onMeet(int partition, ActorRef<Dispatcher.Command> dispatcher) {
    links.meet(partition, dispatcher);
    introduce(dispatcher);
  }

  /// Registers with a dispatcher; or takes leave of it, if the pool stops.
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

  /// A worker that has failed is replaced; its attempt is lost when it is not listed any more. What
  /// a dispatcher had that is gone is found by the next one.
  private Behavior<WorkerPool.Command> onTerminated(Terminated gone) {
    var member = crew.of(gone.getRef());
    if (member != null) {
      getContext().getLog().error("worker [{}] has failed: there is a new one", member.name);
      crew.lose(member);
      share();
    }
    links.remove(gone.getRef());
    return this;
  }

  /// Says everything again, and looks which dispatchers are silent.
  private void onTick() {
    long now = now();
    for (var member : crew.given()) {
      member.worker.tell(new Worker.Repeat(member.credit));
      dispatchers.waiting(member);
    }
    links.met().forEach(this::introduce);
    dispatchers.beat(now, places.lastCredit(), crew.given());
    if (remote) {
      leases.over(now).forEach(this::loseLease);
    }
    stopWhatIsLeft();
  }

  private void loseLease(DispatcherLink link) {
    crew.given().stream()
        .filter(member -> member.partition == link.partition)
        .forEach(member -> close(member, SILENT));
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
    int running = places.busy() + crew.waiting() - crew.abandoned();
    if (running > 0) {
      getContext().getLog().info(words, running, id, DurationWords.exact(grace));
    }
  }

  /// What is running after the grace is stopped. Credits that a dispatcher has not given back by
  /// then are closed.
  private void stopWhatIsLeft() {
    if (graceOver) {
      closeAll(SHUTDOWN);
    }
  }

  private void closeAll(Cancellation why) {
    crew.given().forEach(member -> close(member, why));
  }

  private static void close(Member member, Cancellation why) {
    member.worker.tell(new Worker.Close(member.credit, why));
  }

  private Behavior<WorkerPool.Command> stopped() {
    stopping.forEach(waiting -> waiting.tell(new WorkerPool.Stopped(crew.abandoned())));
    return Behaviors.stopped();
  }

  private WorkerPool.Load load() {
    return new WorkerPool.Load(
        id,
        environment.settings().workers(),
        places.busy(),
        crew.waiting(),
        crew.abandoned(),
        crew.heldUp());
  }

  private long now() {
    return environment.machine().nanoTime();
  }
}
