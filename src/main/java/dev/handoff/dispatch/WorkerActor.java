package dev.handoff.dispatch;

import dev.handoff.cancel.Cancellation;
import dev.handoff.job.AttemptReport;
import dev.handoff.job.Job;
import dev.handoff.job.Phase;
import dev.handoff.job.WorkerOrder;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/// Runs one attempt at a time, on a thread of the attempt's own, and tells the job how it ended
/// until the job has that in its ledger.
///
/// ```
/// idle ──Offer──▶ open ──Run──▶ starting ──its thread runs──▶ running ──handler ends──▶ reporting ──Recorded──▶ idle
///   ▲              │  │            │                             └─ Stop: token, interrupt, … ─ abandoned ─▶ reporting ──▶ lingering ──▶ idle
///   └────Close─────┘  └──── Stop ──┴─ Stop, Close ──▶ reporting (never started)
/// ```
///
/// A handler's thread may wait long for a processor where others compute. Its attempt starts, and
/// its time limits count, when the thread has said that it runs.
///
/// A `Run` starts something only while its credit is open, and a credit is opened once. So a late
/// or doubled one starts nothing, and all that a worker remembers of the past is its last credit.
final class WorkerActor {

  private static final Cancellation GONE =
      new Cancellation(Cancellation.Cause.LEASE_LOST, "its worker is gone", "handoff");

  private final Worker.Environment environment;
  private final ActorContext<Worker.Command> context;
  private final Deadlines deadlines;
  private final Reports reports;
  private final ToPool pool;
  private int runs;
  private long lastCredit;

  WorkerActor(
      String name,
      Worker.Environment environment,
      ActorRef<WorkerPool.Command> pool,
      ActorContext<Worker.Command> context,
      TimerScheduler<Worker.Command> timers) {
    this.environment = environment;
    this.context = context;
    deadlines = new Deadlines(timers, environment.settings());
    reports = new Reports(environment, context.getSelf().unsafeUpcast());
    this.pool = new ToPool(name, pool);
  }

  Behavior<Worker.Command> idle() {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Worker.Offer(long credit) when credit > lastCredit -> open(credit);
              case Worker.Offer late -> Behaviors.same();
              case Worker.Repeat(long credit) when credit > lastCredit -> open(credit);
              case Worker.Repeat(long closed) -> tellIdle(closed);
              case Worker.Ordered(WorkerOrder.Stop stop) -> unknownHere(stop);
              case Worker.Ordered(WorkerOrder.Run late) when late.credit() == lastCredit ->
                  closedBefore(late);
              case Worker.Ordered(WorkerOrder.Run late) -> Behaviors.same();
              case Worker.Unpark(long late, var thread) -> goOnAtOnce(thread);
              case Worker.Echo stale -> Behaviors.same();
            });
  }

  private Behavior<Worker.Command> open(long credit) {
    lastCredit = credit;
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Worker.Ordered(WorkerOrder.Run run) when run.credit() == credit -> start(run);
              case Worker.Ordered(WorkerOrder.Run late) -> Behaviors.same();
              case Worker.Ordered(WorkerOrder.Stop stop) when stop.credit() == credit ->
                  neverStarted(stop);
              case Worker.Ordered(WorkerOrder.Stop stop) -> unknownHere(stop);
              case Worker.Close(long closed, var why) when closed == credit -> backToPool();
              case Worker.Offer again -> Behaviors.same();
              case Worker.Unpark(long late, var thread) -> goOnAtOnce(thread);
              case Worker.Echo stale -> Behaviors.same();
            });
  }

  /// The handler's thread has been ordered, and has not run yet.
  ///
  /// @param told whether the pool knows that this takes long
  private Behavior<Worker.Command> starting(RunningAttempt now, HandlerCall call, boolean told) {
    return Behaviors.receive(
        (ignored, message) ->
            switch (message) {
              case Worker.HandlerBegan(int run) when run == now.run() -> onBegan(now, told);
              case Worker.Ordered(WorkerOrder.Run again) when now.isOf(again) -> Behaviors.same();
              case Worker.Ordered(WorkerOrder.Run other) when now.has(other.credit()) ->
                  unknownHere(other);
              case Worker.Ordered(WorkerOrder.Run late) -> Behaviors.same();
              case Worker.Ordered(WorkerOrder.Stop stop) when now.isOf(stop) ->
                  callOff(now, call, stop.why(), stop.elapsed());
              case Worker.Ordered(WorkerOrder.Stop stop) -> unknownHere(stop);
              case Worker.Close(long credit, var why) when now.has(credit) ->
                  callOff(now, call, why, Duration.ZERO);
              case Worker.HandlerEnded(int run, var report) when run == now.run() ->
                  onEnded(now, report);
              case Worker.Repeat again -> repeat(now, call, told);
              case Worker.Unpark(long late, var thread) -> goOnAtOnce(thread);
              case Worker.Offer late -> Behaviors.same();
              case Worker.Echo stale -> Behaviors.same();
            },
        (ignored, signal) ->
            switch (signal) {
              case PostStop gone -> call.callOff() ? Behaviors.same() : onGone(now);
              default -> Behaviors.unhandled();
            });
  }

  private Behavior<Worker.Command> running(RunningAttempt now) {
    return Behaviors.receive(
        (ignored, message) ->
            switch (message) {
              case Worker.HandlerEnded(int run, var report) when run == now.run() ->
                  onEnded(now, report);
              case Worker.Ordered(WorkerOrder.Run again) when now.isOf(again) -> tellStarted(now);
              case Worker.Ordered(WorkerOrder.Run other) when now.has(other.credit()) ->
                  unknownHere(other);
              case Worker.Ordered(WorkerOrder.Run late) -> Behaviors.same();
              case Worker.Ordered(WorkerOrder.Stop stop) when now.isOf(stop) ->
                  onStop(now, stop.why(), stop.elapsed());
              case Worker.Ordered(WorkerOrder.Stop stop) -> unknownHere(stop);
              case Worker.Close(long credit, var why) when now.has(credit) ->
                  onStop(now, why, Duration.ZERO);
              case Worker.TimeOver(int run, var cause) when run == now.run() ->
                  onTimeOver(now, cause);
              case Worker.GraceOver(int run) when run == now.run() -> interrupt(now);
              case Worker.AbandonDue(int run) when run == now.run() -> onAbandon(now);
              case Worker.Park(long credit) when now.has(credit) && now.mayPark() ->
                  tellParking(now.park());
              case Worker.Unpark(long credit, var thread) when now.has(credit) && now.isParked() ->
                  tellParking(now.plus(thread));
              case Worker.Unpark(long late, var thread) -> goOnAtOnce(thread);
              case Worker.GoOn(long credit, int round)
                  when now.has(credit) && round == now.parking().round() ->
                  running(now.goOn());
              case Worker.Repeat again -> repeat(now);
              case Worker.Offer late -> Behaviors.same();
              case Worker.Echo stale -> Behaviors.same();
            },
        (ignored, signal) ->
            switch (signal) {
              case PostStop gone -> onGone(now);
              default -> Behaviors.unhandled();
            });
  }

  private Behavior<Worker.Command> reporting(Unrecorded report) {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Worker.Replied(var reply) when report.isAnsweredBy(reply) -> onRecorded(report);
              case Worker.HandlerEnded(int run, var late) when report.isOf(run) ->
                  onEndedLate(report, late);
              case Worker.Repeat again -> repeat(report);
              case Worker.Ordered(WorkerOrder.Stop stop) when stop.credit() == report.credit() ->
                  repeat(report);
              case Worker.Ordered(WorkerOrder.Stop stop) -> unknownHere(stop);
              case Worker.Ordered(WorkerOrder.Run late) -> Behaviors.same();
              case Worker.Unpark(long late, var thread) -> goOnAtOnce(thread);
              case Worker.Offer late -> Behaviors.same();
              case Worker.Echo stale -> Behaviors.same();
            });
  }

  /// The job is over, and its code still runs: the place is taken until it ends.
  private Behavior<Worker.Command> lingering(RunningAttempt abandoned) {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Worker.HandlerEnded(int run, var late) when run == abandoned.run() -> {
                reports.endedLate(abandoned, late);
                yield backToPool();
              }
              case Worker.Repeat again -> repeatAbandoned(abandoned);
              case Worker.Ordered(WorkerOrder.Stop stop) -> unknownHere(stop);
              case Worker.Ordered(WorkerOrder.Run late) -> Behaviors.same();
              case Worker.Unpark(long late, var thread) -> goOnAtOnce(thread);
              case Worker.Offer late -> Behaviors.same();
              case Worker.Echo stale -> Behaviors.same();
            });
  }

  /// An attempt whose thread cannot be started has failed; nobody else has.
  private Behavior<Worker.Command> start(WorkerOrder.Run order) {
    var attempt = new Attempt(order, environment, context.getSelf());
    int run = ++runs;
    var call = Handlers.call(run, attempt, environment, context.getSelf());
    Thread thread;
    try {
      thread = Handlers.start(call, attempt, environment);
    } catch (Throwable noThread) {
      return report(Unrecorded.failed(order, Handlers.failure(noThread)), order.reportTo());
    }
    return starting(
        new RunningAttempt(run, order, attempt, thread, null, Parking.NONE), call, false);
  }

  private Behavior<Worker.Command> onBegan(RunningAttempt now, boolean told) {
    if (told) {
      pool.began(now);
    }
    return began(now);
  }

  private Behavior<Worker.Command> began(RunningAttempt now) {
    deadlines.begin(now);
    reports.started(now);
    return running(now);
  }

  private Behavior<Worker.Command> repeat(RunningAttempt now, HandlerCall call, boolean told) {
    endIfThreadIsGone(now);
    boolean heldUp = deadlines.isHeldUp(now);
    if (heldUp) {
      pool.heldUp(now);
    }
    return starting(now, call, told || heldUp);
  }

  /// The attempt is not wanted any more. Unless its thread has begun in this moment, that costs
  /// nobody anything: no handler has to obey, and the job loses no start.
  private Behavior<Worker.Command> callOff(
      RunningAttempt now, HandlerCall call, Cancellation why, Duration elapsed) {
    if (call.callOff()) {
      pool.ended(now);
      return report(Unrecorded.neverStarted(now.order()), now.order().reportTo());
    }
    pool.began(now);
    began(now);
    return onStop(now, why, elapsed);
  }

  private Behavior<Worker.Command> tellStarted(RunningAttempt now) {
    reports.started(now);
    return Behaviors.same();
  }

  /// Fires the token, and gives the handler its time to obey: first in peace, then interrupted,
  /// then abandoned. One whose lease is lost has no time: somebody else may be running the job.
  ///
  /// @param elapsed how long ago that was decided
  private Behavior<Worker.Command> onStop(RunningAttempt now, Cancellation why, Duration elapsed) {
    now.attempt().source().cancel(why);
    if (why.cause() == Cancellation.Cause.LEASE_LOST) {
      now.thread().interrupt();
    }
    if (now.stopped() != null) {
      return Behaviors.same();
    }
    if (why.cause() == Cancellation.Cause.SHUTDOWN) {
      context.getLog().info("job [{}] attempt [{}] is stopped: closing", now.job(), now.number());
    }
    deadlines.stop(now, why, elapsed);
    return running(now.stopped(why).goOn());
  }

  /// The worker itself is gone, because it or its pool has failed or was stopped: nobody else knows
  /// the handler's thread.
  private static Behavior<Worker.Command> onGone(RunningAttempt now) {
    now.attempt().source().cancel(GONE);
    return interrupt(now);
  }

  private static Behavior<Worker.Command> interrupt(RunningAttempt now) {
    now.thread().interrupt();
    return Behaviors.same();
  }

  private Behavior<Worker.Command> onAbandon(RunningAttempt now) {
    context
        .getLog()
        .warn(
            "job [{}] attempt [{}] did not stop: abandoned, its code may still run",
            now.job(),
            now.number());
    return report(Unrecorded.abandoned(now), now.order().reportTo());
  }

  /// Only the job decides that an attempt is over: it is told until it orders the stop.
  private Behavior<Worker.Command> onTimeOver(RunningAttempt now, Phase.StopCause cause) {
    if (!deadlines.extend(now, cause)) {
      reports.timeOver(now, cause);
      deadlines.repeat(now, cause);
    }
    return Behaviors.same();
  }

  private Behavior<Worker.Command> onEnded(RunningAttempt now, AttemptReport report) {
    pool.ended(now);
    return report(Unrecorded.of(now, report), now.order().reportTo());
  }

  private Behavior<Worker.Command> neverStarted(WorkerOrder.Stop stop) {
    return report(Unrecorded.neverStarted(stop), stop.reportTo());
  }

  /// The credit was taken back while the claim was being written, which must not cost the job a
  /// start. One whose attempt has run, and that hears this late, knows better.
  private Behavior<Worker.Command> closedBefore(WorkerOrder.Run order) {
    reports.neverStarted(order);
    return Behaviors.same();
  }

  private Behavior<Worker.Command> report(Unrecorded report, ActorRef<Job.Command> job) {
    deadlines.end();
    reports.ended(report, job);
    return reporting(report);
  }

  private Behavior<Worker.Command> repeat(Unrecorded report) {
    reports.repeat(report);
    return Behaviors.same();
  }

  private Behavior<Worker.Command> repeat(RunningAttempt now) {
    endIfThreadIsGone(now);
    return tellParking(now);
  }

  private Behavior<Worker.Command> repeatAbandoned(RunningAttempt abandoned) {
    endIfThreadIsGone(abandoned);
    pool.abandoned(abandoned);
    return Behaviors.same();
  }

  /// A thread that is gone says nothing any more. What it has said before is in the mailbox, ahead
  /// of this.
  private void endIfThreadIsGone(RunningAttempt attempt) {
    if (attempt.thread().getState() == Thread.State.TERMINATED) {
      context.getSelf().tell(new Worker.HandlerEnded(attempt.run(), Handlers.NO_THREAD));
    }
  }

  private Behavior<Worker.Command> onEndedLate(Unrecorded report, AttemptReport late) {
    reports.endedLate(report.running(), late);
    return reporting(report.ended());
  }

  private Behavior<Worker.Command> onRecorded(Unrecorded report) {
    if (report.running() == null) {
      return backToPool();
    }
    pool.abandoned(report.running());
    return lingering(report.running());
  }

  private Behavior<Worker.Command> tellParking(RunningAttempt now) {
    pool.parking(now);
    return running(now);
  }

  private static Behavior<Worker.Command> goOnAtOnce(CompletableFuture<Void> thread) {
    thread.complete(null);
    return Behaviors.same();
  }

  private Behavior<Worker.Command> unknownHere(WorkerOrder order) {
    reports.unknownHere(order);
    return Behaviors.same();
  }

  private Behavior<Worker.Command> backToPool() {
    deadlines.end();
    pool.idle(lastCredit);
    return idle();
  }

  private Behavior<Worker.Command> tellIdle(long closed) {
    pool.idle(closed);
    return Behaviors.same();
  }
}
