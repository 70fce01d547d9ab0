package dev.handoff.dispatch;

import dev.handoff.job.JobNotice;
import dev.handoff.job.JobReply;
import dev.handoff.job.PartitionNotice;
import dev.handoff.ledger.WireMessage;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Brings the ready jobs of one partition and the idle workers of all pools together: what it can
/// be sent, and how it is made. The actor itself is [DispatcherActor].
///
/// Nothing is polled and no message is trusted to arrive. What is wanted is a level that each
/// heartbeat repeats; a pool's heartbeat lists the credits that it has given; slots are told as
/// totals. So a message that is lost is made good one heartbeat later, and one that is doubled or
/// late changes nothing.
public final class Dispatcher {

  /// Messages accepted by a dispatcher.
  public sealed interface Command
      permits Notice, FromPool, Rules, Slots, Hold, Drain, GetLoad, JobAnswered, Alarm {}

  /// A job of the partition has something to say.
  public record Notice(JobNotice notice) implements Command, NoSerializationVerificationNeeded {}

  /// What holds for queues. Answered with [Queues.Confirmed].
  ///
  /// @param eras the era in which the slots of each limited queue are counted
  public record Rules(long version, Map<String, QueueRule> rules, Map<String, Long> eras)
      implements Command, WireMessage {
    public Rules {
      rules = Map.copyOf(rules);
      eras = Map.copyOf(eras);
    }
  }

  /// So many jobs of a limited queue may have been claimed in all since its era began.
  public record Slots(String queue, long era, long granted) implements Command, WireMessage {}

  /// The store is away: claim nothing. Or it is back.
  public record Hold(boolean on) implements Command, NoSerializationVerificationNeeded {}

  /// Claim nothing any more: the engine stops.
  public enum Drain implements Command, NoSerializationVerificationNeeded {
    INSTANCE
  }

  public record GetLoad(ActorRef<Load> replyTo) implements Command, WireMessage {}

  /// What a dispatcher has, for lists and health.
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

  record JobAnswered(JobReply reply) implements Command, NoSerializationVerificationNeeded {}

  /// What a dispatcher tells itself.
  enum Alarm implements Command, NoSerializationVerificationNeeded {
    FLUSH,
    TICK,
    DUE
  }

  /// What a dispatcher works with.
  ///
  /// @param weights how much of the workers a queue gets beside others
  /// @param jobs the partition, which knows where each of its jobs is
  public record Environment(
      int partition,
      DispatchSettings settings,
      InstantSource clock,
      ToIntFunction<String> weights,
      ActorRef<Queues.Command> queues,
      ActorRef<PartitionNotice> jobs) {}

  public static Behavior<Command> create(Environment environment) {
    return Behaviors.setup(
        context -> {
          context.setLoggerName(Dispatcher.class);
          return Behaviors.withTimers(timers -> new DispatcherActor(context, timers, environment));
        });
  }

  /// The same actor, open also to what jobs say: they know only [JobNotice].
  public static Behavior<Object> createForJobs(Environment environment) {
    return Open.of(
        create(environment),
        message ->
            switch (message) {
              case JobNotice notice -> new Notice(notice);
              case Command command -> command;
              case Object foreign -> null;
            });
  }

  private Dispatcher() {}
}
