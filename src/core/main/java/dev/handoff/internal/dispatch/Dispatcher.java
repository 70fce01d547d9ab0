package dev.handoff.internal.dispatch;

import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.job.JobNotice;
import dev.handoff.internal.job.PartitionNotice;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.ledger.WireMessage;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Matches the ready jobs of one partition with the idle workers of all pools: messages and
/// creation. The actor is [DispatcherActor].
///
/// Dispatching needs no polling and tolerates lost messages. Demand is a level that each heartbeat
/// repeats; a pool's heartbeat lists the credits that it has given; slots are told as totals. So a
/// lost message is repaired one heartbeat later, and a doubled or late message changes nothing.
public final class Dispatcher {

  /// Protocol of a dispatcher.
  public sealed interface Command
      permits Notice,
          PoolMessage,
          Rules,
          Slots,
          Hold,
          Drain,
          GetLoad,
          LossAnswered,
          StateAnswered,
          Alarm {}

  /// Notice of a job of the partition.
  public record Notice(JobNotice notice) implements Command, NoSerializationVerificationNeeded {}

  /// Rules of all queues. Answered with [Queues.Confirmed].
  ///
  /// @param eras slot era of each limited queue
  public record Rules(long version, Map<String, QueueRule> rules, Map<String, Long> eras)
      implements Command, WireMessage {
    public Rules {
      rules = Map.copyOf(rules);
      eras = Map.copyOf(eras);
    }
  }

  /// Total of slots granted to this partition since the limited queue's era began.
  public record Slots(String queue, long era, long granted) implements Command, WireMessage {}

  /// Stops claims during an outage of the store, and resumes them afterwards.
  public record Hold(boolean on) implements Command, NoSerializationVerificationNeeded {}

  /// Stops claims for good: the engine stops.
  public enum Drain implements Command, NoSerializationVerificationNeeded {
    INSTANCE
  }

  public record GetLoad(ActorRef<Load> replyTo) implements Command, WireMessage {}

  /// Load of a dispatcher, for lists and health.
  ///
  /// @param unknownTypes types of ready jobs that no pool can run
  public record Load(int partition, Map<String, QueueLoad> queues, Set<String> unknownTypes)
      implements WireMessage {
    public Load {
      queues = Map.copyOf(queues);
      unknownTypes = Set.copyOf(unknownTypes);
    }
  }

  public record QueueLoad(long queued, long scheduled, long running) implements WireMessage {}

  record LossAnswered(ReportReply reply) implements Command, NoSerializationVerificationNeeded {}

  record StateAnswered(StateReply reply) implements Command, NoSerializationVerificationNeeded {}

  /// Messages of a dispatcher to itself.
  enum Alarm implements Command, NoSerializationVerificationNeeded {
    FLUSH,
    TICK,
    DUE
  }

  /// Collaborators of a dispatcher.
  ///
  /// @param weights share of the workers that a queue gets, relative to other queues
  /// @param jobs the partition, which can reach each of its jobs
  public record Environment(
      int partition,
      DispatchSettings settings,
      InstantSource clock,
      ToIntFunction<String> weights,
      ActorRef<Queues.Command> queues,
      ActorRef<PartitionNotice> jobs) {}

  public static Behavior<Command> create(Environment environment) {
    return FatalErrorGuard.setup(
        Command.class,
        context -> {
          context.setLoggerName(Dispatcher.class);
          return Behaviors.withTimers(timers -> new DispatcherActor(context, timers, environment));
        });
  }

  /// Dispatcher as its jobs see it.
  public static JobNotice.Receiver forJobs(ActorRef<Command> dispatcher) {
    return notice -> dispatcher.tell(new Notice(notice));
  }

  private Dispatcher() {}
}
