package dev.handoff.engine;

import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.dispatch.ProgressSeen;
import dev.handoff.job.JobFact;
import dev.handoff.job.JobState;
import dev.handoff.ledger.LedgerNotice;
import java.time.Duration;
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
///
/// Numbers begin at the microsecond of the start, and fewer than a million events happen in a
/// second: so those of a former start are never taken for those of this one.
public final class Events extends AbstractMatchingBehavior<Events.Command> {

  /// Messages accepted by the events. All of them are local to the node.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Facts that are durable.
  public record Happened(List<LedgerNotice.Folded> facts) implements Command {}

  /// Progress in between, which is no fact.
  public record Progressed(ProgressSeen progress) implements Command {}

  /// Asks for the events after a number. Answered with a [Page] when there is at least one, and
  /// with an empty one after a while.
  public record Read(long after, int limit, ActorRef<Page> replyTo) implements Command {}

  /// Asks for the number of the last event. Answered with an empty [Page] at once.
  public record GetLast(ActorRef<Page> replyTo) implements Command {}

  /// @param last the number of the last event read: continue after it
  /// @param missed whether events between the number asked for and the first one here are gone
  public record Page(List<Event> events, long last, boolean missed)
      implements NoSerializationVerificationNeeded {
    public Page {
      events = List.copyOf(events);
    }
  }

  private enum Tick implements Command {
    INSTANCE
  }

  public static Behavior<Command> create(int keep, InstantSource clock) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(Events.class);
          return Behaviors.withTimers(
              timers -> {
                timers.startTimerWithFixedDelay(TICK, Tick.INSTANCE, LONGEST_WAIT);
                return new Events(context, keep, clock);
              });
        });
  }

  /// How long a reader waits at most: so that nobody is kept who has gone away.
  static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private static final String TICK = "tick";

  private final Event[] ring;
  private final InstantSource clock;
  private final List<Read> waiting = new ArrayList<>();
  private final long first;
  private long next;

  private Events(ActorContext<Command> context, int keep, InstantSource clock) {
    super(context);
    this.ring = new Event[keep];
    this.clock = clock;
    this.first = clock.millis() * 1000 + 1;
    this.next = first;
  }

  @Override
  public Behavior<Command> onMessage(Command message) {
    switch (message) {
      case Happened(var facts) -> onHappened(facts);
      case Progressed(var progress) -> onProgressed(progress);
      case Read read -> onRead(read);
      case GetLast(var replyTo) -> replyTo.tell(new Page(List.of(), next - 1, false));
      case Tick tick -> answerAll();
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
        keep(Event.of(next, fact, job, seen));
      }
    }
    answerAll();
  }

  private void onProgressed(ProgressSeen progress) {
    keep(Event.of(next, progress, clock.instant()));
    answerAll();
  }

  private void keep(Event event) {
    ring[(int) (next % ring.length)] = event;
    next++;
  }

  private void onRead(Read read) {
    if (read.after() == next - 1) {
      waiting.add(read);
    } else {
      answer(read);
    }
  }

  private void answerAll() {
    waiting.forEach(this::answer);
    waiting.clear();
  }

  private void answer(Read read) {
    long oldest = Math.max(first, next - ring.length);
    boolean missed = read.after() < oldest - 1 || read.after() >= next;
    long from = missed ? oldest : read.after() + 1;
    long to = Math.min(next, from + read.limit());
    var events = new ArrayList<Event>();
    for (long number = from; number < to; number++) {
      events.add(ring[(int) (number % ring.length)]);
    }
    read.replyTo().tell(new Page(events, to - 1, missed));
  }
}
