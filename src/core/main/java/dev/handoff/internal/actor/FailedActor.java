package dev.handoff.internal.actor;

import java.time.Duration;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// Final behaviour of a failed job or plan actor: it informs the partition and the waiting callers,
/// and rejects further messages until it is retired.
///
/// This code runs outside all guards, and if it fails, waiting callers are never informed. So a
/// failed first try is repeated after the memory reserve was released. If the second try fails too,
/// the partition gets a disorder report.
///
/// @param <T> messages of the actor
public final class FailedActor<T> {

  /// Time that the actor stays for messages sent before its successor was known.
  private static final Duration STAY = Duration.ofMinutes(1);

  /// Messages of a failed actor. Each of them may be sent twice.
  ///
  /// @param <T> messages of the actor
  public interface Words<T> {

    /// Name of the failed entity, for the log.
    String name();

    /// Informs the partition, before the callers: a caller that retries at once then waits there
    /// for the next actor.
    void tellPartition(String cause);

    /// Reports to the partition that unknown callers may still wait for the actor.
    void tellDisorder();

    /// Informs the waiting callers.
    void tellWaiting(String cause);

    /// Rejects a message.
    void turnAway(T message, String cause);

    /// Message that stops the actor.
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

  /// @param failedAt message that caused the failure; null if there was none, or if its sender is
  ///   among the waiting callers
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

  /// Logs the failure. A failure of the log does not prevent the messages.
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

  /// A message that cannot be answered affects only its sender.
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
