package dev.handoff.actor;

import java.time.Duration;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// The actor of a job or plan that has failed: tells its partition and whoever waits, and turns
/// away whoever comes, until it is retired.
///
/// A failure on this way is outside all guards, and leaves nobody to tell those who wait. So it is
/// gone a second time, with the memory that is set aside. If that fails as well, the partition
/// hears of the disorder.
///
/// @param <T> messages of the actor
public final class FailedActor<T> {

  /// How long it stays, for what was sent to it before its successor was known.
  private static final Duration STAY = Duration.ofMinutes(1);

  /// What a failed actor says. All of it may be said twice.
  ///
  /// @param <T> messages of the actor
  public interface Words<T> {

    /// Of what failed, for the log.
    String name();

    /// Who comes back at once waits at the partition for the next actor: it is told first.
    void tellPartition(String cause);

    /// Nobody knows who still waits for the actor.
    void tellDisorder();

    /// Tells whoever waits for the actor.
    void tellWaiting(String cause);

    /// Tells the sender of a message.
    void turnAway(T message, String cause);

    /// The message that ends the actor.
    T retire();
  }

  private final ActorContext<T> context;
  private final Words<T> words;
  private final Throwable failure;
  private final @Nullable T failedAt;

  private FailedActor(
      ActorContext<T> context, Words<T> words, Throwable failure, @Nullable T failedAt) {
    this.context = context;
    this.words = words;
    this.failure = failure;
    this.failedAt = failedAt;
  }

  /// @param failedAt the message that the actor failed at; null if there was none, or its sender is
  ///   one of those who wait
  public static <T> Behavior<T> because(
      Throwable failure, @Nullable T failedAt, Words<T> words, ActorContext<T> context) {
    var failed = new FailedActor<>(context, words, failure, failedAt);
    failed.log();
    try {
      return failed.leave();
    } catch (Throwable second) {
      MemoryReserve.giveBackAfter(second);
      return failed.leaveOrTell();
    }
  }

  /// Whoever waits hears of it whether it can be logged or not.
  private void log() {
    try {
      context.getLog().error("{} failed", words.name(), failure);
    } catch (Throwable unlogged) {
      MemoryReserve.giveBackAfter(unlogged);
    }
  }

  private Behavior<T> leave() {
    var cause = String.valueOf(failure);
    words.tellPartition(cause);
    words.tellWaiting(cause);
    if (failedAt != null) {
      turnAway(failedAt, cause);
    }
    context.scheduleOnce(STAY, context.getSelf(), words.retire());
    return Behaviors.receiveMessage(message -> onMessage(message, cause));
  }

  private Behavior<T> leaveOrTell() {
    try {
      return leave();
    } catch (Throwable third) {
      throw disorder(third);
    }
  }

  private Behavior<T> onMessage(T late, String cause) {
    try {
      turnAway(late, cause);
      return late == words.retire() ? Behaviors.stopped() : Behaviors.same();
    } catch (Throwable again) {
      throw disorder(again);
    }
  }

  /// A message that nobody can answer is the fault of its sender alone.
  private void turnAway(T message, String cause) {
    try {
      words.turnAway(message, cause);
    } catch (RuntimeException unanswerable) {
      context.getLog().debug("{} cannot answer {}", words.name(), message, unanswerable);
    }
  }

  private RuntimeException disorder(Throwable last) {
    var seen = FatalErrorGuard.seen(last);
    words.tellDisorder();
    return seen;
  }
}
