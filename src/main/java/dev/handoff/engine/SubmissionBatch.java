package dev.handoff.engine;

import dev.handoff.job.JobId;
import dev.handoff.job.SubmitReplies;
import dev.handoff.job.SubmitReply;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// A batch of submissions and the answers that are known so far. It is answered as a whole when
/// every job of it has one.
final class SubmissionBatch {

  private final Partition.SubmitBatch asked;
  private final Map<JobId, SubmitReply> replies = new HashMap<>();

  SubmissionBatch(Partition.SubmitBatch asked) {
    this.asked = asked;
  }

  /// Nothing of a batch is taken now.
  static void turnAway(Partition.SubmitBatch asked, String reason, Duration retryAfter) {
    new SubmissionBatch(asked)
        .answer(asked.jobs(), job -> new SubmitReply.Unavailable(reason, retryAfter));
  }

  void answer(List<Partition.NewJob> jobs, Function<JobId, SubmitReply> reply) {
    jobs.forEach(job -> replies.put(job.id(), reply.apply(job.id())));
    if (replies.size() == asked.jobs().size()) {
      var inOrder = asked.jobs().stream().map(job -> replies.get(job.id())).toList();
      asked.replyTo().tell(new SubmitReplies(inOrder));
    }
  }
}
