package dev.handoff.internal.breaker;

import dev.handoff.breaker.BreakerChange;
import dev.handoff.breaker.BreakerInfo;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.actor.FatalErrorGuard;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/// Protocol and factory of the breaker registry of a node. The actor is [BreakersActor].
public final class Breakers {

  /// Commands of the registry; local to the node.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Command for one named breaker.
  sealed interface ForOne extends Command {
    String name();
  }

  /// Asks the named breaker for a permit and creates the breaker if necessary. Answered with a
  /// [Breaker.Answer].
  public record Acquire(String name, ActorRef<Breaker.Answer> replyTo) implements ForOne {}

  /// Gives an order to the named breaker. Only `FORCE_OPEN` and `DISABLE` create a missing breaker.
  /// Idempotent; answered with a [Reply].
  public record Steer(String name, Breaker.Order order, ActorRef<Reply> replyTo)
      implements ForOne {}

  /// Gives an order to all existing breakers. Idempotent; answered with [All].
  public record SteerAll(Breaker.Order order, ActorRef<All> replyTo) implements Command {}

  /// Subscribes to all future transitions, for the lifetime of the subscriber.
  public record Subscribe(ActorRef<BreakerChange> subscriber) implements Command {}

  /// Answer to an operator.
  public sealed interface Reply extends NoSerializationVerificationNeeded
      permits Found, NotFound, NotPossible {}

  public record Found(BreakerInfo info) implements Reply {}

  public record NotFound(String name) implements Reply {}

  public record NotPossible(String reason) implements Reply {}

  /// All breakers that answered in time, by name.
  public record All(List<BreakerInfo> breakers) implements NoSerializationVerificationNeeded {
    public All {
      breakers = List.copyOf(breakers);
    }
  }

  record Changed(BreakerChange change) implements Command {}

  /// Answer of a breaker to [Breaker.Retire]: whether it stops.
  record Answered(String name, ActorRef<Breaker.Command> breaker, boolean leaves)
      implements Command {}

  /// Dependencies of the registry.
  ///
  /// @param random supplies a random generator for the current thread
  /// @param ending cancelled when the registry stops; stops all guarded calls
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
