package dev.handoff.context.breaker;

import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.job.JobError;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Decides whether what has its name may be called: what it can be sent, and what it answers. The
/// actor itself is [BreakerActor].
public final class Breaker {

  /// Messages accepted by a breaker. All of them are local to its node.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Asks for a permit. Answered with an [Answer] at once.
  public record Acquire(ActorRef<Answer> replyTo) implements Command {}

  /// What became of the call that a permit was for. Valid in every state, and once for each permit;
  /// answered with what it led to.
  public sealed interface Report extends Command {
    Permit permit();

    ActorRef<Heard> replyTo();
  }

  /// @param took how long the call has taken
  public record Succeeded(Permit permit, Duration took, ActorRef<Heard> replyTo)
      implements Report {}

  /// @param took how long the call has taken
  public record Failed(Permit permit, JobError error, Duration took, ActorRef<Heard> replyTo)
      implements Report {}

  /// The call was cancelled, or never made: it says nothing about what was called.
  public record Released(Permit permit, ActorRef<Heard> replyTo) implements Report {}

  /// Idempotent. Answered with what the breaker is afterwards.
  public record Steer(Order order, ActorRef<Breakers.Reply> replyTo) implements Command {}

  /// What an operator can ask for.
  public enum Order {
    /// Changes nothing.
    LOOK,
    /// Closes the breaker, whatever it was, and forgets what it has failed with in a row.
    RESET,
    /// Lets nothing through until it is told otherwise.
    FORCE_OPEN,
    /// Lets everything through, and still counts, until it is told otherwise.
    DISABLE,
    /// Ends [#FORCE_OPEN] and [#DISABLE]: closed, and left to itself.
    AUTOMATIC
  }

  /// Ends the breaker if it is closed and no permit is out. Answered in any case.
  record Retire(ActorRef<Breakers.Command> replyTo) implements Command {}

  /// Time alone may have changed the state.
  enum Due implements Command {
    INSTANCE
  }

  /// The answer to the question whether to call.
  public sealed interface Answer extends NoSerializationVerificationNeeded {}

  /// The call may be made. It has to be reported to the breaker, once.
  ///
  /// @param generation rises with every change of state: a report for a former one changes nothing
  /// @param trial whether the breaker is half open, and waits for this call
  public record Permit(
      String name, long generation, long number, boolean trial, ActorRef<Command> breaker)
      implements Answer {}

  /// The call must not be made now.
  ///
  /// @param retryAt when to ask again; nothing is promised for then
  public record Rejected(Instant retryAt, String reason) implements Answer {}

  /// There is no breaker of that name, and there can be none now.
  public record Refused(String reason) implements Answer {}

  /// What a report has led to.
  public enum Heard implements NoSerializationVerificationNeeded {
    /// It was counted, and the breaker goes by it.
    COUNTED,
    /// It was counted. The state in which its permit was given is over, so it changes nothing else.
    LATE,
    /// Its permit was reported before, or taken for lost: counted as late, and nothing else.
    REPEATED
  }

  /// What a breaker needs.
  ///
  /// @param random a source of chance for the thread that asks
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
