package dev.handoff.internal.dispatch.worker;

import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.internal.dispatch.DispatchSettings;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.job.AttemptReport;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.WorkerOrder;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Worker, running one attempt at a time: messages and creation. The actor is [WorkerActor].
public final class Worker {

  /// Protocol of a worker, local to its pool.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Message without meaning in an unprepared state: a late timer, a doubled reply.
  sealed interface Echo extends Command {}

  /// The pool gives this worker's credit to a dispatcher.
  public record Offer(long credit) implements Command {}

  /// Closes the credit and stops an attempt running on it.
  public record Close(long credit, Cancellation why) implements Echo {}

  /// Order of a job.
  record Ordered(WorkerOrder order) implements Command {}

  record Replied(ReportReply reply) implements Echo {}

  /// The pool believes that the worker has this credit: the worker repeats its unacknowledged
  /// reports.
  public record Repeat(long credit) implements Echo {}

  /// A thread of the attempt starts a wait for a child.
  record Park(long credit) implements Echo {}

  /// A thread of the attempt asks to resume after its wait. Answered by completing the future.
  record Unpark(long credit, CompletableFuture<Void> resumed) implements Command {}

  /// The pool grants a place to the attempt after its wait.
  public record GoOn(long credit, int round) implements Echo {}

  /// The handler's thread runs, and calls the handler.
  record HandlerBegan(int run) implements Echo {}

  record HandlerEnded(int run, AttemptReport report) implements Echo {}

  record TimeOver(int run, JobPhase.StopCause cause) implements Echo {}

  record GraceOver(int run) implements Echo {}

  record AbandonDue(int run) implements Echo {}

  /// Collaborators of all workers of a pool.
  ///
  /// @param router forwards messages to jobs, wherever they are
  public record Environment(
      ActorSystem<?> system,
      Map<String, AttemptCode> code,
      DispatchSettings settings,
      ActorRef<JobEnvelope> router,
      ActorRef<ProgressSeen> progress,
      ActorQuestions questions,
      ThreadsAndClock machine) {

    public Environment {
      code = Map.copyOf(code);
    }

    public Environment(
        ActorSystem<?> system,
        Map<String, AttemptCode> code,
        DispatchSettings settings,
        ActorRef<JobEnvelope> router,
        ActorRef<ProgressSeen> progress,
        ActorQuestions questions) {
      this(system, code, settings, router, progress, questions, ThreadsAndClock.REAL);
    }
  }

  /// Creates a worker that also accepts [WorkerOrder] and [ReportReply]: jobs know no other types.
  public static Behavior<Object> create(
      String name, Environment environment, ActorRef<WorkerPool.Command> pool) {
    Behavior<Command> worker =
        Behaviors.setup(
            context -> {
              context.setLoggerName(Worker.class);
              return Behaviors.withTimers(
                  timers -> new WorkerActor(name, environment, pool, context, timers).idle());
            });
    return TranslatingBehavior.of(
        worker,
        message ->
            switch (message) {
              case WorkerOrder order -> new Ordered(order);
              case ReportReply reply -> new Replied(reply);
              case Command command -> command;
              case Object foreign -> null;
            });
  }

  private Worker() {}
}
