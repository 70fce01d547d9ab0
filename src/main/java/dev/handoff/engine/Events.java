package dev.handoff.engine;

import dev.handoff.dispatch.ProgressSeen;
import dev.handoff.job.JobFact;
import dev.handoff.job.JobState;
import dev.handoff.ledger.LedgerNotice;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// What happens on this node, as a numbered stream. Keeps the newest events in a ring; whoever
/// watches reads from a number on, as fast as he likes, and waits when he has seen everything.
/// There is no buffer per watcher: one that is too slow, or comes back too late, is told that he
/// has missed something.
public final class Events extends AbstractMatchingBehavior<Events.Command> {

  /// Messages accepted by the events. All of them are local to the node.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Facts that are durable.
  public record Happened(List<LedgerNotice.Folded> facts) implements Command {}

  /// Progress in between, which is no fact.
  public record Progressed(ProgressSeen progress) implements Command {}

  /// Asks for the events after a number. Answered with a [Page], when there is at least one.
  ///
  /// @param after -1 for those that are still to come
  public record Read(long after, int limit, ActorRef<Page> replyTo) implements Command {}

  /// @param last the number of the last event read: continue after it
  /// @param missed whether events between the number asked for and the first one here are gone
  public record Page(List<Item> items, long last, boolean missed)
      implements NoSerializationVerificationNeeded {}

  /// An event.
  public sealed interface Item {
    long number();
  }

  public record FactItem(long number, JobState state, JobFact fact, Instant seen) implements Item {}

  public record ProgressItem(long number, ProgressSeen progress, Instant seen) implements Item {}

  public static Behavior<Command> create(int keep, InstantSource clock) {
    return Behaviors.setup(
        context -> {
          context.setLoggerName(Events.class);
          return new Events(context, keep, clock);
        });
  }

  private final Item[] ring;
  private final InstantSource clock;
  private final List<Read> waiting = new ArrayList<>();
  private long next;

  private Events(ActorContext<Command> context, int keep, InstantSource clock) {
    super(context);
    this.ring = new Item[keep];
    this.clock = clock;
  }

  @Override
  public Behavior<Command> onMessage(Command message) {
    switch (message) {
      case Happened(var facts) -> onHappened(facts);
      case Progressed(var progress) -> keep(new ProgressItem(next, progress, clock.instant()));
      case Read read -> onRead(read);
    }
    return this;
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    return Behaviors.unhandled();
  }

  private void onHappened(List<LedgerNotice.Folded> facts) {
    var seen = clock.instant();
    for (var folded : facts) {
      if (folded.state() instanceof JobState job && folded.event() instanceof JobFact fact) {
        ring[(int) (next % ring.length)] = new FactItem(next, job, fact, seen);
        next++;
      }
    }
    answerWaiting();
  }

  private void keep(Item item) {
    ring[(int) (next % ring.length)] = item;
    next++;
    answerWaiting();
  }

  private void onRead(Read read) {
    if (read.after() < 0) {
      waiting.add(new Read(next - 1, read.limit(), read.replyTo()));
    } else if (read.after() + 1 < next) {
      answer(read);
    } else {
      waiting.add(read);
    }
  }

  private void answerWaiting() {
    if (!waiting.isEmpty()) {
      var ready = waiting.stream().filter(read -> read.after() + 1 < next).toList();
      waiting.removeAll(ready);
      ready.forEach(this::answer);
    }
  }

  private void answer(Read read) {
    long oldest = Math.max(0, next - ring.length);
    long from = Math.max(read.after() + 1, oldest);
    long to = Math.min(next, from + read.limit());
    var items = new ArrayList<Item>();
    for (long number = from; number < to; number++) {
      items.add(ring[(int) (number % ring.length)]);
    }
    read.replyTo().tell(new Page(items, to - 1, from > read.after() + 1));
  }
}
