package dev.handoff.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/// Who wants to hear of an end. Somebody who has stopped waiting is not known as such, so their
/// number is bounded.
///
/// @param <R> what they are told
public final class Watchers<R> {

  public static final int MOST = 1_000;

  private final List<ActorRef<R>> waiting = new ArrayList<>(1);

  /// @return who has waited longest and must go, if there were too many
  public Optional<ActorRef<R>> add(ActorRef<R> replyTo) {
    var oldest = waiting.size() < MOST ? null : waiting.removeFirst();
    waiting.add(replyTo);
    return Optional.ofNullable(oldest);
  }

  /// Nobody waits any more.
  public void tell(R reply) {
    waiting.forEach(watcher -> watcher.tell(reply));
    waiting.clear();
  }
}
