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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// Runs one attempt at a time, on a thread of the attempt's own, and tells the job how it ended until the job has that
/// in its ledger.
///
/// ```
/// idle ──Offer──▶ open ──Run──▶ running ──handler ends──▶ reporting ──Recorded──▶ idle
///   ▲              │  │            └─ Stop: token, interrupt, … ─ abandoned ─▶ reporting ──▶ lingering ──▶ idle
///   └────Close─────┘  └─ Stop ──▶ reporting (never started)
/// ```
///
/// A `Run` starts something only while its credit is open. So a late or doubled one starts nothing, and the worker
/// remembers nothing of the past.
public final class Worker {

  /// Messages accepted by a worker. All of them are local to its pool.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// What means nothing in a state that does not wait for it: a timer that fired too late, an answer that came twice.
  sealed interface Echo extends Command {}

  /// The pool gives this worker's credit away.
  record Offer(long credit) implements Command {}

  /// The credit came back: it is closed unless something runs on it.
  record Close(long credit) implements Echo {}

  private record Ordered(WorkerOrder order) implements Command {}

  private record Replied(JobReply reply) implements Echo {}

  /// Sends what has not been answered again.
  enum Repeat implements Echo {
    INSTANCE
  }

  /// The attempt has to end for a reason of the node.
  record StopNow(Cancellation why) implements Echo {}

  record Park(long credit) implements Echo {}

  /// Answered by completing the future: the attempt's thread waits for it.
  record Unpark(long credit, CompletableFuture<Void> resumed) implements Command {}

  /// The pool has room again for the attempt that waited.
  enum GoOn implements Echo {
    INSTANCE
  }

  private record HandlerEnded(int run, AttemptReport report) implements Echo {}

  private record TimeOver(int run, Phase.StopCause cause) implements Echo {}

  private record GraceOver(int run) implements Echo {}

  private record Abandon(int run) implements Echo {}

  /// What every worker of a pool works with.
  ///
  /// @param router takes messages for jobs to wherever they are
  public record Environment(
      ActorSystem<?> system,
      Map<String, AttemptCode> code,
      DispatchSettings settings,
      ActorRef<ForJob> router,
      ActorRef<ProgressSeen> progress) {}

  static Behavior<Command> create(String name, Environment environment, ActorRef<WorkerPool.Command> pool) {
    return Behaviors.setup(
        context -> {
          context.setLoggerName(Worker.class);
          return Behaviors.withTimers(timers -> new Worker(name, environment, pool, context, timers).introduced());
        });
  }

  private static final String TIMEOUT = "timeout";
  private static final String HEARTBEAT = "heartbeat";
  private static final String GRACE = "grace";
  private static final String ABANDON = "abandon";

  private final String name;
  private final Environment environment;
  private final ActorRef<WorkerPool.Command> pool;
  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;
  private final ActorRef<JobReply> answers;
  private int runs;

  private Worker(
      String name,
      Environment environment,
      ActorRef<WorkerPool.Command> pool,
      ActorContext<Command> context,
      TimerScheduler<Command> timers) {
    this.name = name;
    this.environment = environment;
    this.pool = pool;
    this.context = context;
    this.timers = timers;
    this.answers = context.messageAdapter(JobReply.class, Replied::new);
  }

  /// An attempt that runs: its thread, what it was asked, and who waits for it to go on.
  private record Running(
      int run,
      WorkerOrder.Run order,
      Attempt attempt,
      Thread thread,
      @Nullable Cancellation stopped,
      @Nullable CompletableFuture<Void> resumed) {

    Running stopped(Cancellation why) {
      return new Running(run, order, attempt, thread, why, resumed);
    }

    Running resumed(@Nullable CompletableFuture<Void> waiting) {
      return new Running(run, order, attempt, thread, stopped, waiting);
    }

    boolean has(long credit) {
      return order.credit() == credit;
    }
  }

  /// A report on its way.
  ///
  /// @param running the attempt, while its thread has not ended; null afterwards
  private record Report(JobId job, long credit, JobCommand.Report content, @Nullable Running running) {
    boolean isAnsweredBy(JobReply reply) {
      return switch (reply) {
        case JobReply.Recorded(var of, int attempt) -> of.equals(job) && attempt == content.attempt();
        case JobReply.Fenced(var of, int attempt, int current) -> of.equals(job) && attempt == content.attempt();
        case JobReply.NotFound(var of) -> of.equals(job);
        case JobReply.Refused(var of, var reason) -> of.equals(job);
        case JobReply.AlreadyFinished(var state) -> state.id().equals(job);
        case JobReply.Unavailable later -> false;
        case JobReply.Done other -> false;
        case JobReply.Declined other -> false;
        case JobReply.ChildAccepted other -> false;
        case JobReply.ChildRefused other -> false;
      };
    }
  }

  private Behavior<Command> introduced() {
    pool.tell(new WorkerPool.Hired(name, context.getSelf(), context.messageAdapter(WorkerOrder.class, Ordered::new)));
    return idle();
  }

  private Behavior<Command> idle() {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Offer(long credit) -> open(credit);
              case Ordered(WorkerOrder.Stop stop) -> unknownHere(stop);
              case Ordered(WorkerOrder.Run late) -> Behaviors.same();
              case Unpark(long late, var resumed) -> resumeAtOnce(resumed);
              case Echo stale -> Behaviors.same();
            });
  }

  private Behavior<Command> open(long credit) {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Ordered(WorkerOrder.Run run) when run.credit() == credit -> start(run);
              case Ordered(WorkerOrder.Run late) -> Behaviors.same();
              case Ordered(WorkerOrder.Stop stop) when stop.credit() == credit -> neverStarted(stop);
              case Ordered(WorkerOrder.Stop stop) -> unknownHere(stop);
              case Close(long closed) when closed == credit -> backToPool();
              case Offer again -> Behaviors.same();
              case Unpark(long late, var resumed) -> resumeAtOnce(resumed);
              case Echo stale -> Behaviors.same();
            });
  }

  private Behavior<Command> running(Running now) {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case HandlerEnded(int run, var report) when run == now.run() -> onEnded(now, report);
              case Ordered(WorkerOrder.Run again) when now.has(again.credit()) -> tellStarted(now.order());
              case Ordered(WorkerOrder.Run late) -> Behaviors.same();
              case Ordered(WorkerOrder.Stop stop) when now.has(stop.credit()) -> onStop(now, stop.why());
              case Ordered(WorkerOrder.Stop stop) -> unknownHere(stop);
              case StopNow(var why) -> onStop(now, why);
              case TimeOver(int run, var cause) when run == now.run() -> onTimeOver(now, cause);
              case GraceOver(int run) when run == now.run() -> onGraceOver(now);
              case Abandon(int run) when run == now.run() -> onAbandon(now);
              case Park(long credit) when now.has(credit) -> onPark(now);
              case Unpark(long credit, var resumed) when now.has(credit) -> onUnpark(now, resumed);
              case Unpark(long late, var resumed) -> resumeAtOnce(resumed);
              case GoOn go -> onGoOn(now);
              case Offer late -> Behaviors.same();
              case Echo stale -> Behaviors.same();
            });
  }

  private Behavior<Command> reporting(Report report) {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Replied(var reply) when report.isAnsweredBy(reply) -> onRecorded(report);
              case HandlerEnded(int run, var late) when isOf(report, run) ->
                  reporting(new Report(report.job(), report.credit(), report.content(), null));
              case Repeat again -> repeat(report);
              case Ordered(WorkerOrder.Stop stop) when stop.credit() == report.credit() -> repeat(report);
              case Ordered(WorkerOrder.Stop stop) -> unknownHere(stop);
              case Ordered(WorkerOrder.Run late) -> Behaviors.same();
              case Unpark(long late, var resumed) -> resumeAtOnce(resumed);
              case Offer late -> Behaviors.same();
              case Echo stale -> Behaviors.same();
            });
  }

  /// The job is over, and its code still runs: the place is taken until it ends.
  private Behavior<Command> lingering(Running abandoned) {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case HandlerEnded(int run, var late) when run == abandoned.run() -> onLateEnd(abandoned, late);
              case Ordered(WorkerOrder.Stop stop) -> unknownHere(stop);
              case Ordered(WorkerOrder.Run late) -> Behaviors.same();
              case Unpark(long late, var resumed) -> resumeAtOnce(resumed);
              case Offer late -> Behaviors.same();
              case Echo stale -> Behaviors.same();
            });
  }

  private Behavior<Command> start(WorkerOrder.Run order) {
    var attempt = new Attempt(order, environment, context.getSelf());
    var code = environment.code().get(order.spec().type());
    int run = ++runs;
    var self = context.getSelf();
    var thread = threads(code, order).unstarted(() -> self.tell(new HandlerEnded(run, Handlers.call(code, attempt))));
    thread.start();
    startTimers(run, order);
    tellStarted(order);
    return running(new Running(run, order, attempt, thread, null, null));
  }

  private static Thread.Builder threads(@Nullable AttemptCode code, WorkerOrder.Run order) {
    var name = "handoff-" + order.job() + "-" + order.attempt();
    return code != null && code.blocking() ? Thread.ofPlatform().daemon().name(name) : Thread.ofVirtual().name(name);
  }

  private void startTimers(int run, WorkerOrder.Run order) {
    var options = order.spec().options();
    if (options.timeout() != null) {
      timers.startSingleTimer(TIMEOUT, new TimeOver(run, Phase.StopCause.TIMEOUT), options.timeout());
    }
    if (options.heartbeatTimeout() != null) {
      timers.startSingleTimer(HEARTBEAT, new TimeOver(run, Phase.StopCause.HEARTBEAT), options.heartbeatTimeout());
    }
  }

  private Behavior<Command> tellStarted(WorkerOrder.Run order) {
    order.reportTo().tell(new Job.Do(new JobCommand.Started(order.attempt()), environment.system().ignoreRef()));
    return Behaviors.same();
  }

  /// Fires the token, and gives the handler its time to obey: first in peace, then interrupted, then abandoned.
  private Behavior<Command> onStop(Running now, Cancellation why) {
    if (now.stopped() != null) {
      return Behaviors.same();
    }
    now.attempt().source().cancel(why);
    timers.cancel(TIMEOUT);
    timers.cancel(HEARTBEAT);
    var settings = environment.settings();
    boolean atOnce = why.cause() == Cancellation.Cause.LEASE_LOST;
    timers.startSingleTimer(GRACE, new GraceOver(now.run()), atOnce ? Duration.ZERO : settings.grace());
    timers.startSingleTimer(ABANDON, new Abandon(now.run()), settings.abandon());
    if (now.resumed() != null) {
      now.resumed().complete(null);
    }
    return running(now.stopped(why).resumed(null));
  }

  private Behavior<Command> onGraceOver(Running now) {
    now.thread().interrupt();
    return Behaviors.same();
  }

  private Behavior<Command> onAbandon(Running now) {
    context
        .getLog()
        .warn("job [{}] attempt [{}] did not stop: abandoned, its code may still run", now.order().job(), now.order().attempt());
    pool.tell(new WorkerPool.Abandoned(name));
    return report(now, new AttemptReport.Abandoned(now.stopped().cause()), now);
  }

  /// Only the job decides that an attempt is over: it is told until it orders the stop.
  private Behavior<Command> onTimeOver(Running now, Phase.StopCause cause) {
    var silence = now.order().spec().options().heartbeatTimeout();
    if (cause == Phase.StopCause.HEARTBEAT) {
      var left = silence.minusNanos(System.nanoTime() - now.attempt().aliveAt());
      if (left.isPositive()) {
        timers.startSingleTimer(HEARTBEAT, new TimeOver(now.run(), cause), left);
        return Behaviors.same();
      }
    }
    tellJob(now.order().job(), new JobCommand.TimeOut(now.order().attempt(), cause));
    timers.startSingleTimer(TIMEOUT, new TimeOver(now.run(), cause), environment.settings().heartbeat());
    return Behaviors.same();
  }

  private Behavior<Command> onEnded(Running now, AttemptReport report) {
    var asked = now.stopped();
    boolean obeyed = asked != null && !(report instanceof AttemptReport.Returned);
    return report(now, obeyed ? new AttemptReport.Stopped(asked.cause()) : report, null);
  }

  private Behavior<Command> report(Running now, AttemptReport report, @Nullable Running lingering) {
    timers.cancelAll();
    var order = now.order();
    var content = new JobCommand.Report(order.attempt(), report, now.attempt().notes());
    order.reportTo().tell(new Job.Do(content, answers));
    return reporting(new Report(order.job(), order.credit(), content, lingering));
  }

  private Behavior<Command> neverStarted(WorkerOrder.Stop stop) {
    var content = new JobCommand.Report(stop.attempt(), new AttemptReport.NeverStarted(), Notes.NONE);
    stop.reportTo().tell(new Job.Do(content, answers));
    return reporting(new Report(stop.job(), stop.credit(), content, null));
  }

  /// Not the job's own reference, which may be gone: wherever the job is now.
  private Behavior<Command> repeat(Report report) {
    environment.router().tell(new ForJob(report.job(), new Job.Do(report.content(), answers)));
    return Behaviors.same();
  }

  private Behavior<Command> onRecorded(Report report) {
    return report.running() == null ? backToPool() : lingering(report.running());
  }

  private Behavior<Command> onLateEnd(Running abandoned, AttemptReport late) {
    var order = abandoned.order();
    tellJob(order.job(), new JobCommand.Report(order.attempt(), late, abandoned.attempt().notes()));
    pool.tell(new WorkerPool.AbandonedEnded(name));
    return backToPool();
  }

  private Behavior<Command> onPark(Running now) {
    pool.tell(new WorkerPool.Parked(name, now.order().job()));
    return Behaviors.same();
  }

  /// An attempt that is being stopped does not wait for room: it only has to clean up.
  private Behavior<Command> onUnpark(Running now, CompletableFuture<Void> resumed) {
    if (now.stopped() != null) {
      return resumeAtOnce(resumed);
    }
    pool.tell(new WorkerPool.WantsToGoOn(name, now.order().job()));
    return running(now.resumed(resumed));
  }

  private Behavior<Command> onGoOn(Running now) {
    if (now.resumed() != null) {
      now.resumed().complete(null);
    }
    return running(now.resumed(null));
  }

  private static Behavior<Command> resumeAtOnce(CompletableFuture<Void> resumed) {
    resumed.complete(null);
    return Behaviors.same();
  }

  /// The job believes that its attempt is here, and it is not.
  private Behavior<Command> unknownHere(WorkerOrder.Stop stop) {
    tellJob(stop.job(), new JobCommand.LoseWorker(stop.attempt()));
    return Behaviors.same();
  }

  private void tellJob(JobId job, JobCommand command) {
    environment.router().tell(new ForJob(job, new Job.Do(command, environment.system().ignoreRef())));
  }

  private Behavior<Command> backToPool() {
    timers.cancelAll();
    pool.tell(new WorkerPool.Idle(name));
    return idle();
  }

  private static boolean isOf(Report report, int run) {
    return report.running() != null && report.running().run() == run;
  }
}
