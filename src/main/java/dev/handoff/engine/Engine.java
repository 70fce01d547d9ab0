package dev.handoff.engine;

import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.ask.Questions;
import dev.handoff.context.assembly.Assembler;
import dev.handoff.context.breaker.GuardedCalls;
import dev.handoff.context.workspace.Embedder;
import dev.handoff.dispatch.AttemptCode;
import dev.handoff.dispatch.Dispatcher;
import dev.handoff.dispatch.Queues;
import dev.handoff.dispatch.QueuesState;
import dev.handoff.dispatch.WorkerPool;
import dev.handoff.job.JobState;
import dev.handoff.ledger.Ledger;
import dev.handoff.plan.Applies;
import dev.handoff.plan.Blobs;
import dev.handoff.store.Store;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;

/// The guardian of an engine: what it can be sent, what it answers, and what it is made of. The
/// actor itself is [EngineActor].
public final class Engine {

  /// Messages accepted by an engine. All of them are local to its node.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Answered with [Startup] when the engine takes jobs, or cannot be started.
  public record AwaitStart(ActorRef<Startup> replyTo) implements Command {}

  public record GetHealth(ActorRef<HealthReport> replyTo) implements Command {}

  /// Asks for a sign of life, which is given at once.
  public record GiveSign(Runnable sign) implements Command {}

  /// Stops in order: no more claims, running attempts end or are cancelled, then everything else.
  /// Answered with [Stopped] when all parts have stopped. Idempotent.
  public record Shutdown(ActorRef<Stopped> replyTo) implements Command {}

  /// Ends the engine itself, after a [Shutdown].
  public enum Leave implements Command {
    INSTANCE
  }

  /// How a start went.
  public sealed interface Startup extends NoSerializationVerificationNeeded {}

  /// The doors of the engine.
  ///
  /// @param guarded calls behind breakers
  /// @param questions to any of its actors; they know of its end
  /// @param interrupted jobs of which an attempt ran in an earlier process that was killed, as they
  ///   were then
  public record Ready(
      ActorRef<Gateway.Command> gateway,
      List<ActorRef<Partition.Command>> partitions,
      ActorRef<Queues.Command> queues,
      ActorRef<Events.Command> events,
      GuardedCalls guarded,
      ActorRef<Assembler.Command> assembler,
      ActorRef<Blobs.Command> blobs,
      Questions questions,
      List<JobState> interrupted)
      implements Startup {

    public Ready withoutInterrupted() {
      return new Ready(
          gateway, partitions, queues, events, guarded, assembler, blobs, questions, List.of());
    }
  }

  public record NotStarted(String reason) implements Startup {}

  /// Nothing of the engine runs any more.
  ///
  /// @param abandoned attempts that did not end: their code may still run
  public record Stopped(int abandoned) implements NoSerializationVerificationNeeded {}

  /// @param problems what is wrong, in words
  /// @param dispatchers what the partitions have; fewer than there are if some did not answer
  public record HealthReport(
      boolean ready,
      List<String> problems,
      List<Dispatcher.Load> dispatchers,
      WorkerPool.@Nullable Load pool,
      Queues.@Nullable Current rules)
      implements NoSerializationVerificationNeeded {}

  /// @param interrupted jobs of which an attempt was under way
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

  record Surveyed(Survey.Found found, ActorRef<HealthReport> replyTo) implements Command {}

  record PartGone(ActorRef<?> part) implements Command {}

  record Drained(WorkerPool.Stopped stopped) implements Command {}

  enum PatienceOver implements Command {
    INSTANCE
  }

  enum DrainOver implements Command {
    INSTANCE
  }

  /// What an engine is made of.
  ///
  /// @param name of the node, part of the names of its workers
  /// @param owner who owns the store, in the words that a second one would be told
  /// @param applies what writes the changes of plans into directories
  /// @param down told once, with the reason, when the engine goes down by itself
  public record Blueprint(
      String name,
      String owner,
      Store store,
      EngineSettings settings,
      Map<String, AttemptCode> code,
      Contexts contexts,
      Applies.Work applies,
      InstantSource clock,
      Downfall down) {}

  /// How contexts are made.
  ///
  /// @param beside the directory of the file store, where indexes are kept; empty = there is none
  public record Contexts(Assembler.Kit kit, Embedder embedder, Optional<Path> beside) {}

  /// Told when an engine goes down by itself.
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
            return StillbornEngine.because(failure, context);
          }
        });
  }

  private Engine() {}
}
