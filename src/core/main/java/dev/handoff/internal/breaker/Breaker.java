package dev.handoff.internal.breaker;

import dev.handoff.JobError;
import dev.handoff.internal.actor.FatalErrorGuard;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Protocol of a breaker, which decides whether guarded calls of its name may run. The actor is
/// [BreakerActor].
public final class Breaker {

  /// Commands of a breaker; local to the node.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Asks for a permit. Answered immediately with an [Answer].
  public record Acquire(ActorRef<Answer> replyTo) implements Command {}

  /// Result of the call behind a permit. Valid in every state, once per permit. The reply says
  /// whether the report was counted.
  public sealed interface Report extends Command {
    Permit permit();

    ActorRef<Heard> replyTo();
  }

  /// @param took duration of the call
  public record Succeeded(Permit permit, Duration took, ActorRef<Heard> replyTo)
      implements Report {}

  /// @param took duration of the call
  public record Failed(Permit permit, JobError error, Duration took, ActorRef<Heard> replyTo)
      implements Report {}

  /// Result of a call that was cancelled or never made; neither success nor failure.
  public record Released(Permit permit, ActorRef<Heard> replyTo) implements Report {}

  /// Order of an operator. Idempotent. Answered with the new state.
  public record Steer(Order order, ActorRef<Breakers.Reply> replyTo) implements Command {}

  /// Orders of operators.
  public enum Order {
    /// Reads the state only.
    LOOK,
    /// Closes the breaker from any state and clears its consecutive failures.
    RESET,
    /// Rejects all calls until another order.
    FORCE_OPEN,
    /// Permits and counts all calls until another order.
    DISABLE,
    /// Ends [#FORCE_OPEN] or [#DISABLE]: closes the breaker and resumes automatic transitions.
    AUTOMATIC
  }

  /// Stops the breaker if it is closed without outstanding permits. Always answered.
  record Retire(ActorRef<Breakers.Command> replyTo) implements Command {}

  /// Timer message: a time-dependent transition may be due.
  enum Due implements Command {
    INSTANCE
  }

  /// Answer to [Acquire].
  public sealed interface Answer extends NoSerializationVerificationNeeded {}

  /// Permission for one call, which must be reported to the breaker once.
  ///
  /// @param generation increases with every transition; a report with an old generation causes no
  ///   transition
  /// @param trial whether the call is a half-open trial
  public record Permit(
      String name, long generation, long number, boolean trial, ActorRef<Command> breaker)
      implements Answer {}

  /// Rejection by the breaker.
  ///
  /// @param retryAt earliest time for another attempt; permission is not guaranteed
  public record Rejected(Instant retryAt, String reason) implements Answer {}

  /// Refusal without a breaker: its name is invalid or the limit of breakers is reached.
  public record Refused(String reason) implements Answer {}

  /// Reply to a [Report].
  public enum Heard implements NoSerializationVerificationNeeded {
    /// Report counted and used for transitions.
    COUNTED,
    /// Report counted only: its permit belongs to an old generation.
    LATE,
    /// Report of a permit that was already reported or given up as lost; counted as late only.
    REPEATED
  }

  /// Dependencies of a breaker.
  ///
  /// @param random supplies a random generator for the current thread
  record Environment(InstantSource clock, Supplier<RandomGenerator> random) {}

  static Behavior<Command> create(
      String name, BreakerRule rule, Environment environment, ActorRef<Breakers.Command> registry) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(Breaker.class);
          return Behaviors.withTimers(
              timers -> new BreakerActor(context, timers, name, rule, environment, registry));
        });
  }

  private Breaker() {}
}
