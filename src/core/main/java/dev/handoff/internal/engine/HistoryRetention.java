package dev.handoff.internal.engine;

import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.store.ForgetProgress;
import dev.handoff.internal.store.Store;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// Deletes history rows, and keys without rows, after their retention. Works in small slices per
/// retention, so that other writes are not delayed.
final class HistoryRetention {

  sealed interface Command extends NoSerializationVerificationNeeded {}

  private enum Look implements Command {
    INSTANCE
  }

  private record Forgot(@Nullable Integer count, @Nullable Throwable failure) implements Command {}

  private record Passed(@Nullable ForgetProgress done, @Nullable Throwable failure)
      implements Command {}

  private record ForgotKeys(@Nullable Integer count, @Nullable Throwable failure)
      implements Command {}

  /// Round of deletion: one slice of each pass in turn.
  ///
  /// @param done passes that had their slice
  /// @param more whether a pass has more to delete
  private record Round(List<RetentionPass> done, List<RetentionPass> left, boolean more) {

    Round with(RetentionPass pass, boolean itHasMore) {
      var all = new ArrayList<>(done);
      all.add(pass);
      return new Round(all, left.subList(1, left.size()), more || itHasMore);
    }

    List<RetentionPass> passes() {
      return Stream.concat(done.stream(), left.stream()).toList();
    }
  }

  private static final String LOOK = "look";
  static final int SLICE = 500;
  static final Duration BETWEEN_LOOKS = Duration.ofMinutes(10);
  static final Duration BETWEEN_SLICES = Duration.ofMillis(100);

  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;
  private final Store store;
  private final HistorySettings history;
  private final InstantSource clock;

  private HistoryRetention(
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
          context.setLoggerName(HistoryRetention.class);
          return Behaviors.withTimers(
              timers -> {
                timers.startSingleTimer(LOOK, Look.INSTANCE, BETWEEN_SLICES);
                return new HistoryRetention(context, timers, store, history, clock)
                    .watching(RetentionPass.of(history));
              });
        });
  }

  private Behavior<Command> watching(List<RetentionPass> passes) {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Look look -> forget(new Round(List.of(), passes, false));
              case Forgot late -> Behaviors.unhandled();
              case Passed late -> Behaviors.unhandled();
              case ForgotKeys late -> Behaviors.unhandled();
            });
  }

  private Behavior<Command> forget(Round round) {
    if (round.left().isEmpty()) {
      return forgetKeys(round);
    }
    var now = clock.instant();
    var pass = round.left().getFirst().at(now);
    if (pass.isOfAll()) {
      context.pipeToSelf(store.forget(pass.before(now), SLICE), Forgot::new);
    } else {
      context.pipeToSelf(store.forget(pass.slice(now)), Passed::new);
    }
    return forgetting(pass, round);
  }

  private Behavior<Command> forgetting(RetentionPass pass, Round round) {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Forgot(var count, var failure) when failure == null ->
                  forget(round.with(pass, count == SLICE));
              case Passed(var done, var failure) when failure == null ->
                  forget(round.with(pass.on(done), done.more()));
              case Forgot(var none, var failure) -> onFailure(failure, round);
              case Passed(var none, var failure) -> onFailure(failure, round);
              case Look early -> Behaviors.unhandled();
              case ForgotKeys late -> Behaviors.unhandled();
            });
  }

  private Behavior<Command> forgetKeys(Round round) {
    context.pipeToSelf(
        store.forgetKeys(clock.instant().minus(history.keyRetention()), SLICE), ForgotKeys::new);
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case ForgotKeys(var count, var failure) when failure == null ->
                  rest(round.more() || count == SLICE, round);
              case ForgotKeys(var none, var failure) -> onFailure(failure, round);
              case Look early -> Behaviors.unhandled();
              case Forgot late -> Behaviors.unhandled();
              case Passed late -> Behaviors.unhandled();
            });
  }

  private Behavior<Command> onFailure(Throwable failure, Round round) {
    context.getLog().warn("old history was not deleted: {}", failure.getMessage());
    return rest(false, round);
  }

  private Behavior<Command> rest(boolean more, Round round) {
    timers.startSingleTimer(LOOK, Look.INSTANCE, more ? BETWEEN_SLICES : BETWEEN_LOOKS);
    return watching(round.passes());
  }
}
