package dev.handoff.dispatch;

import dev.handoff.cancel.Cancellation;
import dev.handoff.job.AttemptReport;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.Notes;
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
import org.jspecify.annotations.Nullable;

/// Runs one attempt at a time, on a thread of the attempt's own, and tells the job how it ended
/// until the job has that in its ledger.
///
/// ```
/// idle ──Offer──▶ open ──Run──▶ running ──handler ends──▶ reporting ──Recorded──▶ idle
///   ▲              │  │            └─ Stop: token, interrupt, … ─ abandoned ─▶ reporting ──▶ lingering ──▶ idle
///   └────Close─────┘  └─ Stop ──▶ reporting (never started)
/// ```
///
/// A `Run` starts something only while its credit is open, and a credit is opened once. So a late
/// or doubled one starts nothing, and all that a worker remembers of the past is its last credit.
final class WorkerActor {

  private static final String TIMEOUT = "timeout";
  private static final String HEARTBEAT = "heartbeat";
  private static final String GRACE = "grace";
  private static final String ABANDON = "abandon";
  private static final Cancellation GONE =
      new Cancellation(Cancellation.Cause.LEASE_LOST, "its worker is gone", "handoff");

  private final String name;
  private final Worker.Environment environment;
  private final ActorRef<WorkerPool.Command> pool;
  private final ActorContext<Worker.Command> context;
  private final TimerScheduler<Worker.Command> timers;
  private final ActorRef<JobReply> answers;
  private int runs;
  private long lastCredit;

  WorkerActor(
      String name,
      Worker.Environment environment,
      ActorRef<WorkerPool.Command> pool,
      ActorContext<Worker.Command> context,
      TimerScheduler<Worker.Command> timers) {
    this.name = name;
    this.environment = environment;
    this.pool = pool;
    this.context = context;
    this.timers = timers;
    this.answers = context.getSelf().unsafeUpcast();
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

  private Behavior<Worker.Command> running(RunningAttempt now) {
    return Behaviors.receive(
        (ignored, message) ->
            switch (message) {
              case Worker.HandlerEnded(int run, var report) when run == now.run() ->
                  onEnded(now, report);
              case Worker.Ordered(WorkerOrder.Run again) when now.isOf(again) -> tellStarted(now);
              case Worker.Ordered(WorkerOrder.Run other) when now.has(other.credit()) ->
                  tellLost(other.job(), other.attempt());
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
              case Worker.Park(long credit) when now.has(credit) -> onPark(now);
              case Worker.Unpark(long credit, var thread) when now.has(credit) ->
                  onUnpark(now, thread);
              case Worker.Unpark(long late, var thread) -> goOnAtOnce(thread);
              case Worker.GoOn(long credit, int round)
                  when now.has(credit) && round == now.parking().round() ->
                  goOn(now);
              case Worker.Repeat again -> tellParking(now);
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
                tellLate(abandoned, late);
                yield backToPool();
              }
              case Worker.Repeat again -> tellAbandoned(abandoned);
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
    var code = environment.code().get(order.spec().type());
    int run = ++runs;
    var self = context.getSelf();
    var threadName = "handoff-" + order.job() + "-" + order.attempt();
    Thread thread;
    try {
      Runnable call = () -> self.tell(new Worker.HandlerEnded(run, Handlers.call(code, attempt)));
      thread = environment.machine().start(code != null && code.blocking(), threadName, call);
    } catch (Throwable noThread) {
      var failed = new JobCommand.Report(order.attempt(), Handlers.failure(noThread), Notes.NONE);
      var report = new Unrecorded(order.job(), order.credit(), failed, null);
      return report(report, order.reportTo());
    }
    var now = new RunningAttempt(run, order, attempt, thread, null, Parking.NONE);
    startTimers(now);
    tellStarted(now);
    return running(now);
  }

  private void startTimers(RunningAttempt now) {
    var options = now.order().spec().options();
    if (options.timeout() != null) {
      var over = new Worker.TimeOver(now.run(), Phase.StopCause.TIMEOUT);
      timers.startSingleTimer(TIMEOUT, over, options.timeout());
    }
    if (options.heartbeatTimeout() != null) {
      watchHeartbeat(now, options.heartbeatTimeout());
    }
  }

  private void watchHeartbeat(RunningAttempt now, Duration patience) {
    var over = new Worker.TimeOver(now.run(), Phase.StopCause.HEARTBEAT);
    timers.startSingleTimer(HEARTBEAT, over, patience);
  }

  private Behavior<Worker.Command> tellStarted(RunningAttempt now) {
    var started = new JobCommand.Started(now.number());
    now.order().reportTo().tell(new Job.Do(started, environment.system().ignoreRef()));
    return Behaviors.same();
  }

  /// Fires the token, and gives the handler its time to obey: first in peace, then interrupted,
  /// then abandoned. One whose lease is lost has no time: somebody else may be running the job.
  ///
  /// @param elapsed how long ago that was decided
  private Behavior<Worker.Command> onStop(RunningAttempt now, Cancellation why, Duration elapsed) {
    boolean atOnce = why.cause() == Cancellation.Cause.LEASE_LOST;
    if (atOnce) {
      now.thread().interrupt();
    }
    if (now.stopped() != null) {
      return Behaviors.same();
    }
    now.attempt().source().cancel(why);
    timers.cancel(TIMEOUT);
    timers.cancel(HEARTBEAT);
    var settings = environment.settings();
    if (!atOnce) {
      after(settings.grace().minus(elapsed), GRACE, new Worker.GraceOver(now.run()));
    }
    after(settings.abandon().minus(elapsed), ABANDON, new Worker.AbandonDue(now.run()));
    return running(now.stopped(why).with(now.parking().goOn()));
  }

  /// The worker itself is gone, because it or its pool has failed or was stopped: nobody else knows
  /// the handler's thread.
  private static Behavior<Worker.Command> onGone(RunningAttempt now) {
    now.attempt().source().cancel(GONE);
    now.thread().interrupt();
    return Behaviors.same();
  }

  private void after(Duration delay, String key, Worker.Command message) {
    timers.startSingleTimer(key, message, delay.isNegative() ? Duration.ZERO : delay);
  }

  private Behavior<Worker.Command> interrupt(RunningAttempt now) {
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
    return report(now, new AttemptReport.Abandoned(now.stopped().cause()), now);
  }

  /// Only the job decides that an attempt is over: it is told until it orders the stop.
  private Behavior<Worker.Command> onTimeOver(RunningAttempt now, Phase.StopCause cause) {
    if (cause == Phase.StopCause.HEARTBEAT) {
      var patience = now.order().spec().options().heartbeatTimeout();
      var left = now.parking().parked() ? patience : patience.minus(now.attempt().silence());
      if (left.isPositive()) {
        watchHeartbeat(now, left);
        return Behaviors.same();
      }
    }
    tellJob(now.job(), new JobCommand.TimeOut(now.number(), cause));
    var again = new Worker.TimeOver(now.run(), cause);
    var key = cause == Phase.StopCause.HEARTBEAT ? HEARTBEAT : TIMEOUT;
    timers.startSingleTimer(key, again, environment.settings().heartbeat());
    return Behaviors.same();
  }

  private Behavior<Worker.Command> onEnded(RunningAttempt now, AttemptReport report) {
    var asked = now.stopped();
    boolean obeyed = asked != null && !(report instanceof AttemptReport.Returned);
    pool.tell(new WorkerPool.Ended(name, now.order().credit()));
    return report(now, obeyed ? new AttemptReport.Stopped(asked.cause()) : report, null);
  }

  private Behavior<Worker.Command> report(
      RunningAttempt now, AttemptReport report, @Nullable RunningAttempt lingering) {
    var content = new JobCommand.Report(now.number(), report, now.attempt().notes());
    var unrecorded = new Unrecorded(now.job(), now.order().credit(), content, lingering);
    return report(unrecorded, now.order().reportTo());
  }

  private Behavior<Worker.Command> neverStarted(WorkerOrder.Stop stop) {
    var none = new AttemptReport.NeverStarted();
    var content = new JobCommand.Report(stop.attempt(), none, Notes.NONE);
    return report(new Unrecorded(stop.job(), stop.credit(), content, null), stop.reportTo());
  }

  /// The credit was taken back while the claim was being written, which must not cost the job a
  /// start. One whose attempt has run, and that hears this late, knows better.
  private Behavior<Worker.Command> closedBefore(WorkerOrder.Run order) {
    var none = new AttemptReport.NeverStarted();
    var report = new JobCommand.Report(order.attempt(), none, Notes.NONE);
    order.reportTo().tell(new Job.Do(report, environment.system().ignoreRef()));
    return Behaviors.same();
  }

  private Behavior<Worker.Command> report(Unrecorded report, ActorRef<Job.Command> job) {
    timers.cancelAll();
    job.tell(new Job.Do(report.report(), answers));
    return reporting(report);
  }

  /// Not by the job's own reference, which may be gone: to wherever the job is now.
  private Behavior<Worker.Command> repeat(Unrecorded report) {
    var again = new Job.Do(report.report(), answers);
    environment.router().tell(new ForJob(report.job(), again));
    return Behaviors.same();
  }

  private Behavior<Worker.Command> onEndedLate(Unrecorded report, AttemptReport late) {
    tellLate(report.running(), late);
    return reporting(report.ended());
  }

  private Behavior<Worker.Command> onRecorded(Unrecorded report) {
    if (report.running() == null) {
      return backToPool();
    }
    tellAbandoned(report.running());
    return lingering(report.running());
  }

  private Behavior<Worker.Command> tellAbandoned(RunningAttempt abandoned) {
    pool.tell(new WorkerPool.Abandoned(name, abandoned.order().credit()));
    return Behaviors.same();
  }

  private void tellLate(RunningAttempt abandoned, AttemptReport late) {
    var notes = abandoned.attempt().notes();
    tellJob(abandoned.job(), new JobCommand.Report(abandoned.number(), late, notes));
  }

  /// The attempt's own thread may wait for one child while another thread of it waits for a second
  /// one: it is parked until the first of them goes on.
  private Behavior<Worker.Command> onPark(RunningAttempt now) {
    if (now.stopped() != null || now.parking().parked()) {
      return Behaviors.same();
    }
    var parked = now.with(now.parking().park());
    tellParking(parked);
    return running(parked);
  }

  /// An attempt that is being stopped does not wait for room: it only has to clean up.
  private Behavior<Worker.Command> onUnpark(RunningAttempt now, CompletableFuture<Void> thread) {
    if (!now.parking().parked()) {
      return goOnAtOnce(thread);
    }
    var waiting = now.with(now.parking().plus(thread));
    tellParking(waiting);
    return running(waiting);
  }

  /// Says everything each time: the pool takes what is new to it.
  private Behavior<Worker.Command> tellParking(RunningAttempt now) {
    var parking = now.parking();
    long credit = now.order().credit();
    if (parking.parked()) {
      pool.tell(new WorkerPool.Parked(name, credit, now.job(), parking.round()));
    }
    if (parking.parked() && !parking.waiting().isEmpty()) {
      pool.tell(new WorkerPool.WantsToGoOn(name, credit, parking.round()));
    }
    return Behaviors.same();
  }

  private Behavior<Worker.Command> goOn(RunningAttempt now) {
    return running(now.with(now.parking().goOn()));
  }

  private static Behavior<Worker.Command> goOnAtOnce(CompletableFuture<Void> thread) {
    thread.complete(null);
    return Behaviors.same();
  }

  /// The job believes that its attempt is here, and it is not.
  private Behavior<Worker.Command> unknownHere(WorkerOrder.Stop stop) {
    return tellLost(stop.job(), stop.attempt());
  }

  private Behavior<Worker.Command> tellLost(JobId job, int attempt) {
    tellJob(job, new JobCommand.LoseWorker(attempt));
    return Behaviors.same();
  }

  private void tellJob(JobId job, JobCommand command) {
    var message = new Job.Do(command, environment.system().ignoreRef());
    environment.router().tell(new ForJob(job, message));
  }

  private Behavior<Worker.Command> backToPool() {
    timers.cancelAll();
    tellIdle(lastCredit);
    return idle();
  }

  private Behavior<Worker.Command> tellIdle(long closed) {
    pool.tell(new WorkerPool.Idle(name, closed));
    return Behaviors.same();
  }
}
