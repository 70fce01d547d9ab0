package dev.handoff.engine;

import dev.handoff.job.JobState;
import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.Ledger;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// One walk through the live states of a partition, a slice per message, so that a list of a
/// million jobs holds nobody up. Keeps only as many as were asked for; ends with its answer.
final class LiveList {

  sealed interface Command extends NoSerializationVerificationNeeded {}

  private record States(List<EntityState> states) implements Command {}

  private record Slice(int from) implements Command {}

  static final int SLICE = 1_000;
  private static final Comparator<JobState> OLDEST_FIRST =
      Comparator.comparing(job -> job.id().value());

  private final int partition;
  private final JobQuery query;
  private final InstantSource clock;
  private final ActorRef<Partition.Listing> replyTo;
  private final ActorContext<Command> context;
  private final PriorityQueue<JobState> newest = new PriorityQueue<>(OLDEST_FIRST);

  private LiveList(
      int partition,
      JobQuery query,
      InstantSource clock,
      ActorRef<Partition.Listing> replyTo,
      ActorContext<Command> context) {
    this.partition = partition;
    this.query = query;
    this.clock = clock;
    this.replyTo = replyTo;
    this.context = context;
  }

  static Behavior<Command> create(
      int partition,
      JobQuery query,
      ActorRef<Ledger.Command> ledger,
      InstantSource clock,
      ActorRef<Partition.Listing> replyTo) {
    return Behaviors.setup(
        context -> {
          ledger.tell(new Ledger.GetStates(new ToList(context.getSelf())));
          return new LiveList(partition, query, clock, replyTo, context).waiting();
        });
  }

  private record ToList(ActorRef<Command> list) implements Ledger.StatesSink {
    @Override
    public void tell(List<EntityState> states) {
      list.tell(new States(states));
    }
  }

  private Behavior<Command> waiting() {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case States(var states) -> walk(states, 0);
              case Slice early -> Behaviors.same();
            });
  }

  private Behavior<Command> walking(List<EntityState> states) {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Slice(int from) -> walk(states, from);
              case States again -> Behaviors.same();
            });
  }

  private Behavior<Command> walk(List<EntityState> states, int from) {
    int to = Math.min(states.size(), from + SLICE);
    var now = clock.instant();
    for (var state : states.subList(from, to)) {
      if (state instanceof JobState job && query.matches(job, now)) {
        keep(job);
      }
    }
    if (to < states.size()) {
      context.getSelf().tell(new Slice(to));
      return walking(states);
    }
    return answer();
  }

  private void keep(JobState job) {
    newest.add(job);
    if (newest.size() > query.limit()) {
      newest.poll();
    }
  }

  private Behavior<Command> answer() {
    var jobs = new ArrayList<>(newest);
    jobs.sort(OLDEST_FIRST.reversed());
    replyTo.tell(new Partition.LiveJobs(partition, jobs));
    return Behaviors.stopped();
  }
}
