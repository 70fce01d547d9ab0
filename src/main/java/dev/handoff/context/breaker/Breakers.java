package dev.handoff.context.breaker;

import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.cancel.CancellationSource;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/// The breakers of a node, by name: what they can be sent, and how they are made. The actor itself
/// is [BreakersActor].
public final class Breakers {

  /// Messages accepted by the breakers. All of them are local to the node.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// What is for the breaker of a name.
  sealed interface ForOne extends Command {
    String name();
  }

  /// Asks the breaker of a name for a permit; it is made if there is none. Answered with a
  /// [Breaker.Answer].
  public record Acquire(String name, ActorRef<Breaker.Answer> replyTo) implements ForOne {}

  /// Steers the breaker of a name. Only `FORCE_OPEN` and `DISABLE` make one. Idempotent; answered
  /// with a [Reply].
  public record Steer(String name, Breaker.Order order, ActorRef<Reply> replyTo)
      implements ForOne {}

  /// Steers all breakers that there are. Idempotent; answered with [All].
  public record SteerAll(Breaker.Order order, ActorRef<All> replyTo) implements Command {}

  /// Tells of every change of state from now on, for as long as the subscriber lives.
  public record Subscribe(ActorRef<BreakerChange> subscriber) implements Command {}

  /// The answer to an operator.
  public sealed interface Reply extends NoSerializationVerificationNeeded
      permits BreakerInfo, NotFound, NotPossible {}

  public record NotFound(String name) implements Reply {}

  public record NotPossible(String reason) implements Reply {}

  /// All breakers that have answered, by name.
  public record All(List<BreakerInfo> breakers) implements NoSerializationVerificationNeeded {
    public All {
      breakers = List.copyOf(breakers);
    }
  }

  record Changed(BreakerChange change) implements Command {}

  /// Whether a breaker makes room.
  record Answered(String name, ActorRef<Breaker.Command> breaker, boolean leaves)
      implements Command {}

  /// What the breakers need.
  ///
  /// @param random a source of chance for the thread that asks
  /// @param ending cancelled when they end: calls that they guard end with them
  public record Environment(
      BreakerSettings settings,
      InstantSource clock,
      Supplier<RandomGenerator> random,
      CancellationSource ending) {}

  public static Behavior<Command> create(Environment environment) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(Breakers.class);
          return new BreakersActor(context, environment);
        });
  }

  private Breakers() {}
}
