package dev.handoff.internal.engine;

import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.dispatch.worker.ProgressSeen;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.LedgerNotice;
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

/// Events of this node as a numbered stream. A ring keeps the newest events. A subscriber reads
/// from a number on at its own speed, and waits when it has read all events. No subscriber has a
/// buffer: one that is too slow, or returns too late, is told that it missed events.
///
/// Numbers begin with the start time in microseconds, and fewer than a million events happen in a
/// second: so numbers of an earlier start never collide with those of this one.
public final class EventBuffer extends AbstractMatchingBehavior<EventBuffer.Command> {

  /// Protocol of the events actor, local to the node.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Publishes durable facts.
  public record Happened(List<LedgerNotice.Folded> facts) implements Command {}

  /// Publishes progress between facts.
  public record Progressed(ProgressSeen progress) implements Command {}

  /// Reads events after a number. Answered with a [Page] as soon as an event exists, and with an
  /// empty page after a time limit.
  public record Read(long after, int limit, ActorRef<Page> replyTo) implements Command {}

  /// Reads the last event's number. Answered with an empty [Page] immediately.
  public record GetLast(ActorRef<Page> replyTo) implements Command {}

  /// @param last number of the last event read, to continue from
  /// @param missed whether events between the requested number and the first one here are gone
  public record Page(List<EngineEvent> events, long last, boolean missed)
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
          context.setLoggerName(EventBuffer.class);
          return Behaviors.withTimers(
              timers -> {
                timers.startTimerWithFixedDelay(TICK, Tick.INSTANCE, LONGEST_WAIT);
                return new EventBuffer(context, keep, clock);
              });
        });
  }

  /// Maximum wait of a reader: bounds the number of requests from readers that have gone.
  static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private static final String TICK = "tick";

  private final EngineEvent[] ring;
  private final InstantSource clock;
  private final List<Read> waiting = new ArrayList<>();
  private final long first;
  private long next;

  private EventBuffer(ActorContext<Command> context, int keep, InstantSource clock) {
    super(context);
    this.ring = new EngineEvent[keep];
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
        keep(EngineEvent.of(next, fact, job, seen));
      }
    }
    answerAll();
  }

  private void onProgressed(ProgressSeen progress) {
    keep(EngineEvent.of(next, progress, clock.instant()));
    answerAll();
  }

  private void keep(EngineEvent event) {
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
    var events = new ArrayList<EngineEvent>();
    for (long number = from; number < to; number++) {
      events.add(ring[(int) (number % ring.length)]);
    }
    read.replyTo().tell(new Page(events, to - 1, missed));
  }
}
