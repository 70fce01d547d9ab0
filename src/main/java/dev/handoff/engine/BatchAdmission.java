package dev.handoff.engine;

import dev.handoff.job.JobFact;
import dev.handoff.job.JobState;
import dev.handoff.job.SubmitReply;
import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.Fact;
import dev.handoff.ledger.Ledger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/// Takes batches of new jobs without keys into a partition: the first facts of all are one append.
/// An append that is refused, because of one of them or of its size, is tried again in halves.
final class BatchAdmission {

  private final ActorRef<Partition.Command> partition;
  private final PartitionEnvironment environment;
  private final ActorRef<Ledger.Command> ledger;
  private final JobActors jobs;

  BatchAdmission(
      ActorRef<Partition.Command> partition,
      PartitionEnvironment environment,
      ActorRef<Ledger.Command> ledger,
      JobActors jobs) {
    this.partition = partition;
    this.environment = environment;
    this.ledger = ledger;
    this.jobs = jobs;
  }

  void submit(Partition.SubmitBatch asked) {
    var batch = new SubmissionBatch(asked);
    if (asked.jobs().isEmpty()) {
      batch.answer(List.of(), never -> null);
    } else {
      write(batch, asked.jobs());
    }
  }

  private void write(SubmissionBatch batch, List<Partition.NewJob> part) {
    var now = Instant.ofEpochMilli(environment.clock().millis());
    var facts = new ArrayList<Fact>(part.size());
    var fit = new ArrayList<Partition.NewJob>(part.size());
    for (var job : part) {
      try {
        var submitted = new JobFact.Submitted(job.spec(), now, false);
        facts.add(environment.ledger().codec().encode(job.id(), submitted));
        fit.add(job);
      } catch (IllegalArgumentException notEncodable) {
        var reason = String.valueOf(notEncodable.getMessage());
        batch.answer(List.of(job), id -> new SubmitReply.Refused(reason));
      }
    }
    if (!fit.isEmpty()) {
      ledger.tell(
          new Ledger.Append(
              fit.getFirst().id().value(),
              facts,
              List.of(),
              List.of(),
              reply -> partition.tell(new Partition.BatchWritten(batch, fit, reply))));
    }
  }

  /// Jobs have their actors before anybody hears of them.
  void written(SubmissionBatch batch, List<Partition.NewJob> part, Ledger.Reply reply) {
    switch (reply) {
      case Ledger.Committed(var first, var others) -> {
        born(first);
        others.forEach(this::born);
        batch.answer(part, SubmitReply.Accepted::new);
      }
      case Ledger.Refused(var reason) when part.size() == 1 ->
          batch.answer(part, id -> new SubmitReply.Refused(reason));
      case Ledger.Refused several -> {
        int middle = part.size() / 2;
        write(batch, part.subList(0, middle));
        write(batch, part.subList(middle, part.size()));
      }
      case Ledger.Unavailable(var reason, var retryAfter) ->
          batch.answer(part, id -> new SubmitReply.Unavailable(reason, retryAfter));
    }
  }

  private void born(EntityState state) {
    if (state instanceof JobState job) {
      jobs.born(job);
    }
  }
}
