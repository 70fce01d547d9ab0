package dev.handoff.engine;

import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.store.Store;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// Forgets jobs, and keys without jobs, that ended longer ago than their retention: a small slice
/// at a time, so that it is never in the way.
final class Retention {

  sealed interface Command extends NoSerializationVerificationNeeded {}

  private enum Look implements Command {
    INSTANCE
  }

  private record Forgot(@Nullable Integer count, @Nullable Throwable failure) implements Command {}

  private record ForgotKeys(boolean moreRows, @Nullable Integer count, @Nullable Throwable failure)
      implements Command {}

  private static final String LOOK = "look";
  static final int SLICE = 500;
  static final Duration BETWEEN_LOOKS = Duration.ofMinutes(10);
  static final Duration BETWEEN_SLICES = Duration.ofMillis(100);

  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;
  private final Store store;
  private final HistorySettings history;
  private final InstantSource clock;

  private Retention(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      Store store,
      HistorySettings history,
      InstantSource clock) {
    this.context = context;
    this.timers = timers;
    this.store = store;
    this.history = history;
    this.clock = clock;
  }

  static Behavior<Command> create(Store store, HistorySettings history, InstantSource clock) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(Retention.class);
          return Behaviors.withTimers(
              timers -> {
                timers.startSingleTimer(LOOK, Look.INSTANCE, BETWEEN_SLICES);
                return new Retention(context, timers, store, history, clock).watching();
              });
        });
  }

  private Behavior<Command> watching() {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Look look -> forget();
              case Forgot(var count, var failure) when failure == null ->
                  forgetKeys(count == SLICE);
              case Forgot(var none, var failure) -> onFailure(failure);
              case ForgotKeys(var moreRows, var count, var failure) when failure == null ->
                  lookAgain(moreRows || count == SLICE);
              case ForgotKeys(var moreRows, var none, var failure) -> onFailure(failure);
            });
  }

  private Behavior<Command> onFailure(Throwable failure) {
    context.getLog().warn("old history was not deleted: {}", failure.getMessage());
    return lookAgain(false);
  }

  private Behavior<Command> forget() {
    context.pipeToSelf(
        store.forget(clock.instant().minus(history.retention()), SLICE), Forgot::new);
    return Behaviors.same();
  }

  private Behavior<Command> forgetKeys(boolean moreRows) {
    context.pipeToSelf(
        store.forgetKeys(clock.instant().minus(history.keyRetention()), SLICE),
        (count, failure) -> new ForgotKeys(moreRows, count, failure));
    return Behaviors.same();
  }

  private Behavior<Command> lookAgain(boolean more) {
    timers.startSingleTimer(LOOK, Look.INSTANCE, more ? BETWEEN_SLICES : BETWEEN_LOOKS);
    return Behaviors.same();
  }
}
