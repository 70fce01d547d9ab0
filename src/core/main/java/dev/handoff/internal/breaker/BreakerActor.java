package dev.handoff.internal.breaker;

import dev.handoff.breaker.BreakerChange;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// Actor of one breaker: passes commands to its [BreakerState] in order of arrival and publishes
/// the transitions. It never blocks. After a crash it restarts closed and does not know earlier
/// permits.
final class BreakerActor extends AbstractMatchingBehavior<Breaker.Command> {

  private static final String DUE = "due";
  private static final Duration TICK = Duration.ofMillis(1);
  private static final long FIRST = 1L << 40;

  private final Breaker.Environment environment;
  private final ActorRef<Breakers.Command> registry;
  private final TimerScheduler<Breaker.Command> timers;

  private BreakerState state;
  private @Nullable Instant due;

  BreakerActor(
      ActorContext<Breaker.Command> context,
      TimerScheduler<Breaker.Command> timers,
      String name,
      BreakerRule rule,
      Breaker.Environment environment,
      ActorRef<Breakers.Command> registry) {
    super(context);
    this.timers = timers;
    this.environment = environment;
    this.registry = registry;
    state = BreakerState.fresh(name, rule, now(), random().nextLong(FIRST));
  }

  @Override
  public Behavior<Breaker.Command> onMessage(Breaker.Command message) {
    switch (message) {
      case Breaker.Acquire(var replyTo) -> replyTo.tell(onAcquire());
      case Breaker.Succeeded(var permit, var took, var replyTo) ->
          replyTo.tell(onReport(permit, new CallResult.Success(took)));
      case Breaker.Failed(var permit, var error, var took, var replyTo) ->
          replyTo.tell(onReport(permit, new CallResult.Failure(error, took)));
      case Breaker.Released(var permit, var replyTo) ->
          replyTo.tell(onReport(permit, new CallResult.Nothing()));
      case Breaker.Steer(var order, var replyTo) -> replyTo.tell(onSteer(order));
      case Breaker.Due over -> onDue();
      case Breaker.Retire(var replyTo) -> {
        return onRetire(replyTo);
      }
    }
    return this;
  }

  @Override
  public Behavior<Breaker.Command> onSignal(Signal signal) {
    if (signal instanceof PreRestart failed) {
      // The crash may have occurred during a [Breaker.Retire], whose sender still waits for an
      // answer.
      registry.tell(new Breakers.Answered(state.name(), getContext().getSelf(), false));
      return this;
    }
    return Behaviors.unhandled();
  }

  private Breaker.Answer onAcquire() {
    var acquired = state.acquire(now(), random());
    goTo(acquired.next());
    return switch (acquired.verdict()) {
      case BreakerState.Granted(long generation, long number, boolean trial) ->
          new Breaker.Permit(state.name(), generation, number, trial, getContext().getSelf());
      case BreakerState.Denied(var retryAt, var reason) -> new Breaker.Rejected(retryAt, reason);
    };
  }

  private Breaker.Heard onReport(Breaker.Permit permit, CallResult result) {
    var reported = state.report(permit.generation(), permit.number(), result, now(), random());
    goTo(reported.next());
    return reported.heard();
  }

  private Breakers.Found onSteer(Breaker.Order order) {
    goTo(state.steer(order, now(), random()));
    return new Breakers.Found(state.info());
  }

  private Behavior<Breaker.Command> onRetire(ActorRef<Breakers.Command> replyTo) {
    goTo(state.at(now(), random()));
    boolean leaves = state.isIdle();
    replyTo.tell(new Breakers.Answered(state.name(), getContext().getSelf(), leaves));
    return leaves ? Behaviors.stopped() : this;
  }

  /// Handles the timer. If the clock was set back, the transition is not due yet and a new timer is
  /// set.
  private void onDue() {
    due = null;
    goTo(state.at(now(), random()));
  }

  private void goTo(BreakerState next) {
    long before = state.term().generation();
    state = next;
    if (next.term().generation() != before) {
      next.memory().changes().stream()
          .filter(change -> change.generation() > before)
          .forEach(this::tell);
    }
    var nextDue = next.due();
    if (!Objects.equals(nextDue, due)) {
      due = nextDue;
      setTimer();
    }
  }

  private void tell(BreakerChange change) {
    getContext()
        .getLog()
        .info(
            "breaker [{}] was {}, is {}: {}",
            change.name(),
            change.from().label(),
            change.to().label(),
            change.cause());
    registry.tell(new Breakers.Changed(change));
  }

  /// Adds one tick to the delay: a timer that fires too early would cause no transition.
  private void setTimer() {
    if (due == null) {
      timers.cancel(DUE);
    } else {
      var wait = Duration.between(now(), due).plus(TICK);
      timers.startSingleTimer(DUE, Breaker.Due.INSTANCE, wait.isNegative() ? TICK : wait);
    }
  }

  private Instant now() {
    return environment.clock().instant();
  }

  private RandomGenerator random() {
    return environment.random().get();
  }
}
