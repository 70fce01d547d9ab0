package dev.handoff.internal.dispatch.worker;

import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.job.AttemptReport;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.WorkerOrder;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/// Runs one attempt at a time on a thread of its own, and repeats the report of its end until the
/// job has recorded it.
///
/// ```
/// idle ──Offer──▶ open ──Run──▶ starting ──its thread runs──▶ running ──handler ends──▶ reporting ──Recorded──▶ idle
///   ▲              │  │            │                             └─ Stop: token, interrupt, … ─ abandoned ─▶ reporting ──▶ lingering ──▶ idle
///   └────Close─────┘  └──── Stop ──┴─ Stop, Close ──▶ reporting (never started)
/// ```
///
/// A handler's thread may wait long for a CPU while other code computes. The attempt starts, and
/// its time limits count, when the thread reports that it runs.
///
/// A `Run` starts an attempt only while its credit is open, and a credit opens once. So a late or
/// doubled `Run` starts nothing, and a worker remembers nothing of the past but its last credit.
final class WorkerActor {

  private static final Cancellation GONE =
      new Cancellation(Cancellation.Cause.LEASE_LOST, "its worker is gone", "handoff");

  private final Worker.Environment environment;
  private final ActorContext<Worker.Command> context;
  private final AttemptDeadlines deadlines;
  private final AttemptReports reports;
  private final PoolSender pool;
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
    deadlines = new AttemptDeadlines(timers, environment.settings());
    reports = new AttemptReports(environment, context.getSelf().unsafeUpcast());
    this.pool = new PoolSender(name, pool);
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

  /// State between creation and first run of the handler's thread.
  ///
  /// @param told whether the pool knows of a long wait for a CPU
  private Behavior<Worker.Command> starting(WorkerAttempt now, OneTimeCall call, boolean told) {
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

  private Behavior<Worker.Command> running(WorkerAttempt now) {
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

  private Behavior<Worker.Command> reporting(UnrecordedReport report) {
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

  /// State of an abandoned attempt after its recorded end: its code still occupies a place.
  private Behavior<Worker.Command> lingering(WorkerAttempt abandoned) {
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

  /// A thread that cannot be created fails only its own attempt.
  private Behavior<Worker.Command> start(WorkerOrder.Run order) {
    var attempt = new HandlerAttempt(order, environment, context.getSelf());
    int run = ++runs;
    var call = HandlerCall.call(run, attempt, environment, context.getSelf());
    Thread thread;
    try {
      thread = HandlerCall.start(call, attempt, environment);
    } catch (Throwable noThread) {
      return report(
          UnrecordedReport.failed(order, HandlerCall.failure(noThread)), order.reportTo());
    }
    return starting(
        new WorkerAttempt(run, order, attempt, thread, null, ParkedThreads.NONE), call, false);
  }

  private Behavior<Worker.Command> onBegan(WorkerAttempt now, boolean told) {
    if (told) {
      pool.began(now);
    }
    return began(now);
  }

  private Behavior<Worker.Command> began(WorkerAttempt now) {
    deadlines.begin(now);
    reports.started(now);
    return running(now);
  }

  private Behavior<Worker.Command> repeat(WorkerAttempt now, OneTimeCall call, boolean told) {
    endIfThreadIsGone(now);
    boolean heldUp = deadlines.isHeldUp(now);
    if (heldUp) {
      pool.heldUp(now);
    }
    return starting(now, call, told || heldUp);
  }

  /// Calls off an unwanted attempt. Unless its thread begins at this very moment, no handler has to
  /// obey, and the job loses no start.
  private Behavior<Worker.Command> callOff(
      WorkerAttempt now, OneTimeCall call, Cancellation why, Duration elapsed) {
    if (call.callOff()) {
      pool.ended(now);
      return report(UnrecordedReport.neverStarted(now.order()), now.order().reportTo());
    }
    pool.began(now);
    began(now);
    return onStop(now, why, elapsed);
  }

  private Behavior<Worker.Command> tellStarted(WorkerAttempt now) {
    reports.started(now);
    return Behaviors.same();
  }

  /// Cancels the token, and gives the handler time to obey: without interrupt, then interrupted,
  /// then abandoned. A lost lease interrupts immediately: another worker may be running the job.
  ///
  /// @param elapsed time since the stop was decided
  private Behavior<Worker.Command> onStop(WorkerAttempt now, Cancellation why, Duration elapsed) {
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

  /// Stops the handler's thread after its worker or pool failed or was stopped: no other actor
  /// knows that thread.
  private static Behavior<Worker.Command> onGone(WorkerAttempt now) {
    now.attempt().source().cancel(GONE);
    return interrupt(now);
  }

  private static Behavior<Worker.Command> interrupt(WorkerAttempt now) {
    now.thread().interrupt();
    return Behaviors.same();
  }

  private Behavior<Worker.Command> onAbandon(WorkerAttempt now) {
    context
        .getLog()
        .warn(
            "job [{}] attempt [{}] did not stop: abandoned, its code may still run",
            now.job(),
            now.number());
    return report(UnrecordedReport.abandoned(now), now.order().reportTo());
  }

  /// Only the job ends an attempt: the worker repeats the time-out until the job orders the stop.
  private Behavior<Worker.Command> onTimeOver(WorkerAttempt now, JobPhase.StopCause cause) {
    if (!deadlines.extend(now, cause)) {
      reports.timeOver(now, cause);
      deadlines.repeat(now, cause);
    }
    return Behaviors.same();
  }

  private Behavior<Worker.Command> onEnded(WorkerAttempt now, AttemptReport report) {
    pool.ended(now);
    return report(UnrecordedReport.of(now, report), now.order().reportTo());
  }

  private Behavior<Worker.Command> neverStarted(WorkerOrder.Stop stop) {
    return report(UnrecordedReport.neverStarted(stop), stop.reportTo());
  }

  /// The credit was closed during the write of its claim, which must not cost the job a start. A
  /// job whose attempt has run ignores this late report.
  private Behavior<Worker.Command> closedBefore(WorkerOrder.Run order) {
    reports.neverStarted(order);
    return Behaviors.same();
  }

  private Behavior<Worker.Command> report(UnrecordedReport report, ActorRef<Job.Command> job) {
    deadlines.end();
    reports.ended(report, job);
    return reporting(report);
  }

  private Behavior<Worker.Command> repeat(UnrecordedReport report) {
    reports.repeat(report);
    return Behaviors.same();
  }

  private Behavior<Worker.Command> repeat(WorkerAttempt now) {
    endIfThreadIsGone(now);
    return tellParking(now);
  }

  private Behavior<Worker.Command> repeatAbandoned(WorkerAttempt abandoned) {
    endIfThreadIsGone(abandoned);
    pool.abandoned(abandoned);
    return Behaviors.same();
  }

  /// A terminated thread sends nothing more. Its earlier messages precede this one in the mailbox.
  private void endIfThreadIsGone(WorkerAttempt attempt) {
    if (attempt.thread().getState() == Thread.State.TERMINATED) {
      context.getSelf().tell(new Worker.HandlerEnded(attempt.run(), HandlerCall.NO_THREAD));
    }
  }

  private Behavior<Worker.Command> onEndedLate(UnrecordedReport report, AttemptReport late) {
    reports.endedLate(report.running(), late);
    return reporting(report.ended());
  }

  private Behavior<Worker.Command> onRecorded(UnrecordedReport report) {
    if (report.running() == null) {
      return backToPool();
    }
    pool.abandoned(report.running());
    return lingering(report.running());
  }

  private Behavior<Worker.Command> tellParking(WorkerAttempt now) {
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
