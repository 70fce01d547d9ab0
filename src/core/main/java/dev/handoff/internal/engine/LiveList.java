package dev.handoff.internal.engine;

import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.plan.PlanHead;
import dev.handoff.internal.plan.PlanState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// One pass over a partition's live states, one slice per message, so that a list of a million jobs
/// blocks no other work. Keeps only the requested number of entities, replies and stops.
final class LiveList<T extends EntityState> {

  /// Filter of a list, and the form of its answer.
  ///
  /// @param kind class of the listed states; others are skipped
  /// @param listing makes the answer from the partition and its matches, newest first
  record Selection<T extends EntityState>(
      Class<T> kind,
      int limit,
      BiPredicate<T, Instant> matches,
      BiFunction<Integer, List<T>, Partition.Listing> listing) {}

  static Selection<JobState> of(JobQuery query) {
    return new Selection<>(JobState.class, query.limit(), query::matches, Partition.LiveJobs::new);
  }

  static Selection<PlanState> of(PlanQuery query) {
    return new Selection<>(
        PlanState.class,
        query.limit(),
        (plan, now) -> query.matches(plan),
        (partition, plans) ->
            new Partition.LivePlans(partition, plans.stream().map(PlanHead::of).toList()));
  }

  sealed interface Command extends NoSerializationVerificationNeeded {}

  private record States(List<EntityState> states) implements Command {}

  private record Slice(int from) implements Command {}

  static final int SLICE = 1_000;
  private static final Comparator<EntityState> OLDEST_FIRST =
      Comparator.comparing(state -> state.id().value());

  private final int partition;
  private final Selection<T> selection;
  private final InstantSource clock;
  private final ActorRef<Partition.Listing> replyTo;
  private final ActorContext<Command> context;
  private final PriorityQueue<T> newest = new PriorityQueue<>(OLDEST_FIRST);

  private LiveList(
      int partition,
      Selection<T> selection,
      InstantSource clock,
      ActorRef<Partition.Listing> replyTo,
      ActorContext<Command> context) {
    this.partition = partition;
    this.selection = selection;
    this.clock = clock;
    this.replyTo = replyTo;
    this.context = context;
  }

  static <T extends EntityState> Behavior<Command> create(
      int partition,
      Selection<T> selection,
      ActorRef<Ledger.Command> ledger,
      InstantSource clock,
      ActorRef<Partition.Listing> replyTo) {
    return FatalErrorGuard.setup(
        context -> {
          ledger.tell(new Ledger.GetStates(new ToList(context.getSelf())));
          return new LiveList<>(partition, selection, clock, replyTo, context).waiting();
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
      if (selection.kind().isInstance(state)) {
        var one = selection.kind().cast(state);
        if (selection.matches().test(one, now)) {
          keep(one);
        }
      }
    }
    if (to < states.size()) {
      context.getSelf().tell(new Slice(to));
      return walking(states);
    }
    return answer();
  }

  private void keep(T one) {
    newest.add(one);
    if (newest.size() > selection.limit()) {
      newest.poll();
    }
  }

  private Behavior<Command> answer() {
    var found = new ArrayList<>(newest);
    found.sort(OLDEST_FIRST.reversed());
    replyTo.tell(selection.listing().apply(partition, found));
    return Behaviors.stopped();
  }
}
