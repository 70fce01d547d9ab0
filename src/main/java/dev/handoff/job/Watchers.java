package dev.handoff.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/// Those who want to hear of an end. Each of them waits for [#PATIENCE] and then asks again, so
/// that it is forgotten after that time: nobody says when they stop waiting.
///
/// @param <R> what they are told
public final class Watchers<R> {

  public static final int MOST = 1_000;

  /// How long a watcher waits before it asks again.
  public static final Duration PATIENCE = Duration.ofMinutes(1);

  private record Watcher<R>(ActorRef<R> replyTo, Instant since) {}

  private final List<Watcher<R>> waiting = new ArrayList<>(1);

  /// @return who has waited longest and must go, if there were too many
  public Optional<ActorRef<R>> add(ActorRef<R> replyTo, Instant now) {
    waiting.removeIf(watcher -> hasGone(watcher, now));
    var oldest = waiting.size() < MOST ? null : waiting.removeFirst().replyTo();
    waiting.add(new Watcher<>(replyTo, now));
    return Optional.ofNullable(oldest);
  }

  /// A clock that was set back does not keep anybody for longer.
  private static boolean hasGone(Watcher<?> watcher, Instant now) {
    return now.isBefore(watcher.since()) || !now.isBefore(watcher.since().plus(PATIENCE));
  }

  /// Nobody waits any more.
  public void tell(R reply) {
    waiting.forEach(watcher -> watcher.replyTo().tell(reply));
    waiting.clear();
  }
}
