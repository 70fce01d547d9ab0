package dev.handoff.dispatch;

import dev.handoff.ask.Questions;
import dev.handoff.cancel.Cancellation;
import dev.handoff.job.AttemptReport;
import dev.handoff.job.ForJob;
import dev.handoff.job.JobReply;
import dev.handoff.job.Phase;
import dev.handoff.job.WorkerOrder;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Runs one attempt at a time: what a worker can be sent, and how it is made. The actor itself is
/// [WorkerActor].
public final class Worker {

  /// Messages accepted by a worker. All of them are local to its pool.
  sealed interface Command extends NoSerializationVerificationNeeded {}

  /// What means nothing in a state that does not wait for it: a timer that fired too late, an
  /// answer that came twice.
  sealed interface Echo extends Command {}

  /// The pool gives this worker's credit away.
  record Offer(long credit) implements Command {}

  /// The credit is closed. What runs on it is stopped.
  record Close(long credit, Cancellation why) implements Echo {}

  /// What a job wants of it.
  record Ordered(WorkerOrder order) implements Command {}

  record Replied(JobReply reply) implements Echo {}

  /// The pool believes that the worker has this credit: say again what it may not have heard.
  record Repeat(long credit) implements Echo {}

  /// A thread of the attempt waits for a child.
  record Park(long credit) implements Echo {}

  /// A thread of the attempt has waited, and wants to go on. Answered by completing the future.
  record Unpark(long credit, CompletableFuture<Void> resumed) implements Command {}

  /// The pool has room again for the attempt that waited.
  record GoOn(long credit, int round) implements Echo {}

  /// The handler's own thread runs, and calls it.
  record HandlerBegan(int run) implements Echo {}

  record HandlerEnded(int run, AttemptReport report) implements Echo {}

  record TimeOver(int run, Phase.StopCause cause) implements Echo {}

  record GraceOver(int run) implements Echo {}

  record AbandonDue(int run) implements Echo {}

  /// What every worker of a pool works with.
  ///
  /// @param router takes messages for jobs to wherever they are
  public record Environment(
      ActorSystem<?> system,
      Map<String, AttemptCode> code,
      DispatchSettings settings,
      ActorRef<ForJob> router,
      ActorRef<ProgressSeen> progress,
      Questions questions,
      Machine machine) {

    public Environment {
      code = Map.copyOf(code);
    }

    public Environment(
        ActorSystem<?> system,
        Map<String, AttemptCode> code,
        DispatchSettings settings,
        ActorRef<ForJob> router,
        ActorRef<ProgressSeen> progress,
        Questions questions) {
      this(system, code, settings, router, progress, questions, Machine.REAL);
    }
  }

  /// Open also to what jobs say: they know only [WorkerOrder] and [JobReply].
  static Behavior<Object> create(
      String name, Environment environment, ActorRef<WorkerPool.Command> pool) {
    Behavior<Command> worker =
        Behaviors.setup(
            context -> {
              context.setLoggerName(Worker.class);
              return Behaviors.withTimers(
                  timers -> new WorkerActor(name, environment, pool, context, timers).idle());
            });
    return Open.of(
        worker,
        message ->
            switch (message) {
              case WorkerOrder order -> new Ordered(order);
              case JobReply reply -> new Replied(reply);
              case Command command -> command;
              case Object foreign -> null;
            });
  }

  private Worker() {}
}
