package dev.handoff.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/// Who wants to hear of a job's end. Somebody who has stopped waiting is not known as such, so
/// their number is bounded.
final class Watchers {

  static final int MOST = 1_000;

  private final List<ActorRef<JobReply>> waiting = new ArrayList<>(1);

  /// @return who has waited longest and must go, if there were too many
  Optional<ActorRef<JobReply>> add(ActorRef<JobReply> replyTo) {
    var oldest = waiting.size() < MOST ? null : waiting.removeFirst();
    waiting.add(replyTo);
    return Optional.ofNullable(oldest);
  }

  void tell(JobReply reply) {
    waiting.forEach(watcher -> watcher.tell(reply));
  }
}
