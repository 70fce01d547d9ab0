package dev.handoff.internal.dispatch;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.ledger.WireMessage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// Queue rules over all partitions: pauses and limits of claimed jobs. One actor per engine:
/// messages and creation. The actor is [QueuesActor].
public final class Queues {

  /// Protocol of the queues actor.
  public sealed interface Command {}

  /// Changes the rule of a queue. Answered with a [Reply] after the change is durable and every
  /// dispatcher applies it. Idempotent.
  public record Change(String queue, Setting setting, ActorRef<Reply> replyTo)
      implements Command, WireMessage {}

  /// Changed part of a rule; the rest stays.
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

  /// @param maxRunning null removes the limit
  public record Limited(@Nullable Integer maxRunning) implements Setting {
    public Limited {
      QueueRule.requireLimit(maxRunning);
    }

    @Override
    public QueueRule on(QueueRule rule) {
      return new QueueRule(rule.paused(), maxRunning);
    }
  }

  /// Reply to a change.
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "reply")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Done.class, name = "done"),
    @JsonSubTypes.Type(value = NotDone.class, name = "not-done")
  })
  public sealed interface Reply extends WireMessage {}

  public record Done(String queue, QueueRule rule) implements Reply {}

  /// The change was not confirmed: the store is away, or refused. After a restart of partition 0
  /// the change may be durable nevertheless; the rules that the partition reads back count.
  public record NotDone(String queue, String reason) implements Reply {}

  public record GetRules(ActorRef<Current> replyTo) implements Command, WireMessage {}

  public record Current(Map<String, QueueRule> rules) implements WireMessage {
    public Current {
      rules = Map.copyOf(rules);
    }
  }

  /// Rules of partition 0 after its recovery, and the ledger for new rules.
  public record Restored(QueuesState state, ActorRef<Ledger.Command> ledger)
      implements Command, NoSerializationVerificationNeeded {}

  /// Registers the new dispatcher of a partition.
  public record Hello(int partition, ActorRef<Dispatcher.Command> dispatcher)
      implements Command, WireMessage {}

  /// Confirms rules: this dispatcher applies them, and claims no job of a paused queue any more.
  public record Confirmed(int partition, ActorRef<Dispatcher.Command> dispatcher, long version)
      implements Command, WireMessage {}

  /// Slots of a limited queue at one dispatcher. All numbers are levels: the latest counts.
  ///
  /// @param granted total of granted slots since the era began, including the slots in use then
  /// @param returned total of returned slots
  /// @param wanted number of further slots that would be useful
  public record SlotsHeld(
      int partition, String queue, long era, long granted, long returned, int wanted)
      implements Command, WireMessage {}

  record Written(Ledger.Reply reply) implements Command, NoSerializationVerificationNeeded {}

  enum Tick implements Command, NoSerializationVerificationNeeded {
    INSTANCE
  }

  /// @param partitions expected number of dispatchers
  /// @param repeat interval at which unconfirmed rules are sent again
  public record Environment(
      int partitions, FactCodec codec, InstantSource clock, Duration repeat) {}

  public static Behavior<Command> create(Environment environment) {
    return FatalErrorGuard.setup(
        Command.class,
        context -> {
          context.setLoggerName(Queues.class);
          return Behaviors.withTimers(timers -> new QueuesActor(context, timers, environment));
        });
  }

  private Queues() {}
}
