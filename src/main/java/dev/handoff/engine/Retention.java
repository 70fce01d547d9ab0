package dev.handoff.engine;

import dev.handoff.store.Store;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// Forgets jobs that ended longer ago than the retention: a small slice at a time, so that it is
/// never in the way.
final class Retention {

  sealed interface Command extends NoSerializationVerificationNeeded {}

  private enum Look implements Command {
    INSTANCE
  }

  private record Forgot(@Nullable Integer count, @Nullable Throwable failure) implements Command {}

  private static final String LOOK = "look";
  static final int SLICE = 500;
  static final Duration BETWEEN_LOOKS = Duration.ofMinutes(10);
  static final Duration BETWEEN_SLICES = Duration.ofMillis(100);

  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;
  private final Store store;
  private final Duration retention;
  private final InstantSource clock;

  private Retention(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      Store store,
      Duration retention,
      InstantSource clock) {
    this.context = context;
    this.timers = timers;
    this.store = store;
    this.retention = retention;
    this.clock = clock;
  }

  static Behavior<Command> create(Store store, Duration retention, InstantSource clock) {
    return Behaviors.setup(
        context -> {
          context.setLoggerName(Retention.class);
          return Behaviors.withTimers(
              timers -> {
                timers.startSingleTimer(LOOK, Look.INSTANCE, BETWEEN_SLICES);
                return new Retention(context, timers, store, retention, clock).watching();
              });
        });
  }

  private Behavior<Command> watching() {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Look look -> forget();
              case Forgot(var count, var failure) when failure == null -> lookAgain(count == SLICE);
              case Forgot(var none, var failure) -> onFailure(failure);
            });
  }

  private Behavior<Command> onFailure(Throwable failure) {
    context.getLog().warn("old history was not deleted: {}", failure.getMessage());
    return lookAgain(false);
  }

  private Behavior<Command> forget() {
    context.pipeToSelf(store.forget(clock.instant().minus(retention), SLICE), Forgot::new);
    return Behaviors.same();
  }

  private Behavior<Command> lookAgain(boolean more) {
    timers.startSingleTimer(LOOK, Look.INSTANCE, more ? BETWEEN_SLICES : BETWEEN_LOOKS);
    return Behaviors.same();
  }
}
