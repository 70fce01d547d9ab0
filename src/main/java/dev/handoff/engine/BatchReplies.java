package dev.handoff.engine;

import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.job.JobId;
import dev.handoff.job.SubmitReplies;
import dev.handoff.job.SubmitReply;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// The replies to the members of a batch, as far as they are known. The batch is answered as a
/// whole when every member has one.
final class BatchReplies {

  private final Partition.SubmitBatch asked;
  private final Map<JobId, SubmitReply> replies = new HashMap<>();

  BatchReplies(Partition.SubmitBatch asked) {
    this.asked = asked;
    answerIfComplete();
  }

  /// Nothing of a batch is taken now.
  static void turnAway(Partition.SubmitBatch asked, String reason, Duration retryAfter) {
    var replies = new BatchReplies(asked);
    asked.jobs().forEach(job -> replies.put(job.id(), unavailable(reason, retryAfter)));
  }

  private static SubmitReply unavailable(String reason, Duration retryAfter) {
    return new SubmitReply.Unavailable(reason, retryAfter);
  }

  /// @param member whose reply it is, also where the reply names another job
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

  /// The address to which a job replies about one member. A reply does not say which submission it
  /// is about, so each has an actor for it.
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
