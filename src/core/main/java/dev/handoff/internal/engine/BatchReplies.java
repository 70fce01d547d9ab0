package dev.handoff.internal.engine;

import dev.handoff.JobId;
import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.job.SubmitReplies;
import dev.handoff.internal.job.SubmitReply;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Replies to a batch's members. The whole batch is answered after the last reply.
final class BatchReplies {

  private final Partition.SubmitBatch asked;
  private final Map<JobId, SubmitReply> replies = new HashMap<>();

  BatchReplies(Partition.SubmitBatch asked) {
    this.asked = asked;
    answerIfComplete();
  }

  /// Refuses a whole batch for now.
  static void turnAway(Partition.SubmitBatch asked, String reason, Duration retryAfter) {
    var replies = new BatchReplies(asked);
    asked.jobs().forEach(job -> replies.put(job.id(), unavailable(reason, retryAfter)));
  }

  private static SubmitReply unavailable(String reason, Duration retryAfter) {
    return new SubmitReply.Unavailable(reason, retryAfter);
  }

  /// @param member member of the reply, also if the reply names another job
  void put(JobId member, SubmitReply reply) {
    replies.put(member, reply);
    answerIfComplete();
  }

  private void answerIfComplete() {
    if (replies.size() == asked.jobs().size()) {
      var inOrder = asked.jobs().stream().map(job -> replies.get(job.id())).toList();
      asked.replyTo().tell(new SubmitReplies(inOrder));
    }
  }

  /// Creates the address for replies about one member. Replies do not name their submission, so
  /// each member gets a separate actor.
  ActorRef<SubmitReply> addressOf(JobId member, ActorContext<Partition.Command> context) {
    var partition = context.getSelf();
    return context.spawnAnonymous(
        FatalErrorGuard.of(
            Behaviors.receiveMessage(
                (SubmitReply reply) -> {
                  partition.tell(new Partition.MemberAnswered(this, member, reply));
                  return Behaviors.stopped();
                })));
  }
}
