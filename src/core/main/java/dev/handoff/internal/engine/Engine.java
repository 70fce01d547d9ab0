package dev.handoff.internal.engine;

import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.internal.breaker.GuardedCalls;
import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.Queues;
import dev.handoff.internal.dispatch.QueuesState;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.dispatch.worker.AttemptCode;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.plan.ApplyRunner;
import dev.handoff.internal.plan.Blobs;
import dev.handoff.internal.spi.AssembleContext;
import dev.handoff.internal.spi.ContextAssembly;
import dev.handoff.internal.store.Store;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;

/// Guardian actor of an engine: messages, replies and parts. The actor is [EngineActor].
public final class Engine {

  /// Protocol of an engine, local to its node.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Waits for the start. Answered with [Startup] when the engine accepts jobs or cannot start.
  public record AwaitStart(ActorRef<Startup> replyTo) implements Command {}

  public record GetHealth(ActorRef<HealthReport> replyTo) implements Command {}

  /// Requests an immediate sign of life.
  public record GiveSign(Runnable sign) implements Command {}

  /// Stops the engine in order: no more claims; running attempts end or are cancelled; all parts
  /// stop. Answered with [Stopped] after the last part has stopped. Idempotent.
  public record Shutdown(ActorRef<Stopped> replyTo) implements Command {}

  /// Ends the guardian itself, after a [Shutdown].
  public enum Leave implements Command {
    INSTANCE
  }

  /// Result of a start.
  public sealed interface Startup extends NoSerializationVerificationNeeded {}

  /// Entry points of a started engine.
  ///
  /// @param guarded calls behind breakers
  /// @param assembler assembler of contexts, if it is installed
  /// @param questions ask pattern for all actors of the engine; fails when the engine ends
  /// @param interrupted jobs with an attempt that an earlier process was running when it died, in
  ///   their state at that time
  public record Ready(
      ActorRef<Gateway.Command> gateway,
      List<ActorRef<Partition.Command>> partitions,
      ActorRef<Queues.Command> queues,
      ActorRef<EventBuffer.Command> events,
      GuardedCalls guarded,
      Optional<ActorRef<AssembleContext>> assembler,
      ActorRef<Blobs.Command> blobs,
      ActorQuestions questions,
      List<JobState> interrupted)
      implements Startup {

    public Ready withoutInterrupted() {
      return new Ready(
          gateway, partitions, queues, events, guarded, assembler, blobs, questions, List.of());
    }
  }

  public record NotStarted(String reason) implements Startup {}

  /// The engine has stopped completely.
  ///
  /// @param abandoned attempts that did not end: their code may still run
  public record Stopped(int abandoned) implements NoSerializationVerificationNeeded {}

  /// @param problems descriptions of all problems
  /// @param dispatchers loads of the partitions; incomplete if some did not answer in time
  public record HealthReport(
      boolean ready,
      List<String> problems,
      List<Dispatcher.Load> dispatchers,
      WorkerPool.@Nullable Load pool,
      Queues.@Nullable Current rules)
      implements NoSerializationVerificationNeeded {}

  /// @param interrupted jobs with an attempt under way
  record Opened(
      int partition,
      ActorRef<Dispatcher.Command> dispatcher,
      QueuesState queues,
      ActorRef<Ledger.Command> ledger,
      List<JobState> interrupted)
      implements Command {}

  record StoreAway(int partition, String reason) implements Command {}

  record StoreBack(int partition) implements Command {}

  record PartitionDown(int partition, String reason) implements Command {}

  record Surveyed(LoadSurvey.Found found, ActorRef<HealthReport> replyTo) implements Command {}

  record PartGone(ActorRef<?> part) implements Command {}

  record Drained(WorkerPool.Stopped stopped) implements Command {}

  enum PatienceOver implements Command {
    INSTANCE
  }

  enum DrainOver implements Command {
    INSTANCE
  }

  /// Configuration of an engine and its parts.
  ///
  /// @param name node name, part of its worker pools' ids
  /// @param owner owner of the store, as shown to a second engine
  /// @param contexts context assembly, if it is installed
  /// @param applies writer of plans' changes into directories
  /// @param down told once, with the reason, when the engine goes down by itself
  public record Blueprint(
      String name,
      String owner,
      Store store,
      EngineSettings settings,
      Map<String, AttemptCode> code,
      Optional<ContextAssembly> contexts,
      ApplyRunner.Work applies,
      InstantSource clock,
      Downfall down) {}

  /// Callback on an engine's unrequested end.
  public interface Downfall {
    void tell(String reason);
  }

  public static Behavior<Command> create(Blueprint blueprint) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(Engine.class);
          try {
            return new EngineActor(context, blueprint);
          } catch (Throwable failure) {
            return FailedEngineStart.because(failure, context);
          }
        });
  }

  private Engine() {}
}
