package dev.handoff.dispatch;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.Ledger;
import dev.handoff.ledger.WireMessage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// The rules of queues over all partitions: which are paused, and how many jobs of a queue may be
/// claimed at once. One per engine: what it can be sent, and how it is made. The actor itself is
/// [QueuesActor].
public final class Queues {

  /// Messages accepted by the queues.
  public sealed interface Command {}

  /// Changes the rule of a queue. Answered with a [Reply] when it is durable and every dispatcher
  /// goes by it. Idempotent.
  public record Change(String queue, Setting setting, ActorRef<Reply> replyTo)
      implements Command, WireMessage {}

  /// What of a rule is changed; the rest stays.
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "setting")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Paused.class, name = "paused"),
    @JsonSubTypes.Type(value = Limited.class, name = "limited")
  })
  public sealed interface Setting extends WireMessage {
    QueueRule on(QueueRule rule);
  }

  public record Paused(boolean on) implements Setting {
    @Override
    public QueueRule on(QueueRule rule) {
      return new QueueRule(on, rule.maxRunning());
    }
  }

  /// @param maxRunning null takes the limit away
  public record Limited(@Nullable Integer maxRunning) implements Setting {
    public Limited {
      QueueRule.requireLimit(maxRunning);
    }

    @Override
    public QueueRule on(QueueRule rule) {
      return new QueueRule(rule.paused(), maxRunning);
    }
  }

  /// The answer to a change.
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "reply")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Done.class, name = "done"),
    @JsonSubTypes.Type(value = NotDone.class, name = "not-done")
  })
  public sealed interface Reply extends WireMessage {}

  public record Done(String queue, QueueRule rule) implements Reply {}

  /// The store is away, or refuses: nothing has changed.
  public record NotDone(String queue, String reason) implements Reply {}

  public record GetRules(ActorRef<Current> replyTo) implements Command, WireMessage {}

  public record Current(Map<String, QueueRule> rules) implements WireMessage {
    public Current {
      rules = Map.copyOf(rules);
    }
  }

  /// Partition 0 has been read back: these are the rules, and this is the ledger for new ones.
  public record Restored(QueuesState state, ActorRef<Ledger.Command> ledger)
      implements Command, NoSerializationVerificationNeeded {}

  /// A partition has a new dispatcher.
  public record Hello(int partition, ActorRef<Dispatcher.Command> dispatcher)
      implements Command, WireMessage {}

  /// A dispatcher goes by these rules: no job of a paused queue is claimed there any more.
  public record Confirmed(int partition, ActorRef<Dispatcher.Command> dispatcher, long version)
      implements Command, WireMessage {}

  /// What a dispatcher has of a limited queue. All of it are levels: the latest counts.
  ///
  /// @param granted how many slots it has been granted since the era began, and what it used then
  /// @param returned how many of them it has given back
  /// @param wanted how many more it could use
  public record SlotsHeld(
      int partition, String queue, long era, long granted, long returned, int wanted)
      implements Command, WireMessage {}

  record Written(Ledger.Reply reply) implements Command, NoSerializationVerificationNeeded {}

  enum Tick implements Command, NoSerializationVerificationNeeded {
    INSTANCE
  }

  /// @param partitions how many dispatchers there will be
  /// @param repeat how often dispatchers are told again what they have not confirmed
  public record Environment(
      int partitions, FactCodec codec, InstantSource clock, Duration repeat) {}

  public static Behavior<Command> create(Environment environment) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(Queues.class);
          return Behaviors.withTimers(timers -> new QueuesActor(context, timers, environment));
        });
  }

  private Queues() {}
}
