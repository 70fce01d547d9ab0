package dev.handoff.internal.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/// Requesters that wait for an end. Each repeats its request after [#PATIENCE] and is forgotten
/// then, because requesters do not sign off.
///
/// @param <R> reply type
public final class JobWatchers<R> {

  public static final int MOST = 1_000;

  /// Time after which a watcher asks again.
  public static final Duration PATIENCE = Duration.ofMinutes(1);

  private record Watcher<R>(ActorRef<R> replyTo, Instant since) {}

  private final List<Watcher<R>> waiting = new ArrayList<>(1);

  /// @return watcher that waited longest and must go, if there were too many
  public Optional<ActorRef<R>> add(ActorRef<R> replyTo, Instant now) {
    waiting.removeIf(watcher -> hasGone(watcher, now));
    var oldest = waiting.size() < MOST ? null : waiting.removeFirst().replyTo();
    waiting.add(new Watcher<>(replyTo, now));
    return Optional.ofNullable(oldest);
  }

  /// A clock set back does not extend the wait.
  private static boolean hasGone(Watcher<?> watcher, Instant now) {
    return now.isBefore(watcher.since()) || !now.isBefore(watcher.since().plus(PATIENCE));
  }

  /// Tells all watchers and forgets them.
  public void tell(R reply) {
    waiting.forEach(watcher -> watcher.replyTo().tell(reply));
    waiting.clear();
  }
}
