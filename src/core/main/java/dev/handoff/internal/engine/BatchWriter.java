package dev.handoff.internal.engine;

import dev.handoff.JobId;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.SubmitReply;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.Fact;
import dev.handoff.internal.ledger.Ledger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/// Appends the first facts of many new jobs at once. A refused append, for one bad job or for its
/// size, is retried in halves.
final class BatchWriter {

  private final ActorContext<Partition.Command> context;
  private final PartitionEnvironment environment;
  private final ActorRef<Ledger.Command> ledger;
  private final UnwrittenJobs unwritten;
  private final Map<BatchReplies, List<Partition.NewJob>> next = new LinkedHashMap<>();

  BatchWriter(
      ActorContext<Partition.Command> context,
      PartitionEnvironment environment,
      ActorRef<Ledger.Command> ledger,
      UnwrittenJobs unwritten) {
    this.context = context;
    this.environment = environment;
    this.ledger = ledger;
    this.unwritten = unwritten;
  }

  /// Adds a job to its batch's next [#write].
  void add(BatchReplies batch, Partition.NewJob job) {
    unwritten.expect(job);
    next.computeIfAbsent(batch, first -> new ArrayList<>()).add(job);
  }

  /// Appends the added jobs, one append for each batch.
  void write() {
    next.forEach(this::write);
    next.clear();
  }

  /// Address for replies about one batch member.
  ActorRef<SubmitReply> addressOf(BatchReplies batch, JobId member) {
    return batch.addressOf(member, context);
  }

  private void write(BatchReplies batch, List<Partition.NewJob> part) {
    var now = Instant.ofEpochMilli(environment.clock().millis());
    var facts = new ArrayList<Fact>(part.size());
    var fit = new ArrayList<Partition.NewJob>(part.size());
    for (var job : part) {
      try {
        var submitted = new JobFact.Submitted(job.spec(), now, false);
        facts.add(environment.ledger().codec().encode(job.id(), submitted));
        fit.add(job);
      } catch (IllegalArgumentException notEncodable) {
        drop(batch, job, new SubmitReply.Refused(String.valueOf(notEncodable.getMessage())));
      }
    }
    if (!fit.isEmpty()) {
      var partition = context.getSelf();
      ledger.tell(
          new Ledger.Append(
              fit.getFirst().id().value(),
              facts,
              List.of(),
              List.of(),
              reply -> partition.tell(new Partition.BatchWritten(batch, fit, reply))));
    }
  }

  /// Handles the ledger's reply. All jobs have actors before the submitter learns of any.
  void written(BatchReplies batch, List<Partition.NewJob> part, Ledger.Reply reply) {
    switch (reply) {
      case Ledger.Committed(var first, var others) -> {
        born(first);
        others.forEach(this::born);
        part.forEach(job -> batch.put(job.id(), new SubmitReply.Accepted(job.id())));
      }
      case Ledger.Refused(var reason) when part.size() == 1 ->
          drop(batch, part.getFirst(), new SubmitReply.Refused(reason));
      case Ledger.Refused several -> {
        int middle = part.size() / 2;
        write(batch, part.subList(0, middle));
        write(batch, part.subList(middle, part.size()));
      }
      case Ledger.Unavailable(var reason, var retryAfter) ->
          part.forEach(job -> drop(batch, job, new SubmitReply.Unavailable(reason, retryAfter)));
    }
  }

  private void born(EntityState state) {
    if (state instanceof JobState job) {
      unwritten.born(job);
    }
  }

  private void drop(BatchReplies batch, Partition.NewJob job, SubmitReply reply) {
    unwritten.dropped(job.id());
    batch.put(job.id(), reply);
  }
}
