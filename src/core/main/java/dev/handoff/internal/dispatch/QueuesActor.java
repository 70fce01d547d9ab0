package dev.handoff.internal.dispatch;

import dev.handoff.internal.ledger.Ledger;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// Keeps the rules of queues and grants their slots.
///
/// ```
/// change:  waiting ─▶ being written ─▶ durable, and told to all dispatchers ─▶ confirmed by all: answered
/// ```
///
/// A queue's limit is its number of slots. Dispatchers report their demand, are granted free slots
/// in turn, and return each slot when the end of its attempt is durable. Each change of a limit and
/// each new dispatcher begin a new count, with no grant before every partition has reported its
/// slots: so a limit also holds over a restart. A queue without a limit needs no slots.
final class QueuesActor extends AbstractMatchingBehavior<Queues.Command> {

  private static final int MOST_CHANGES = 1_000;

  private final Queues.Environment environment;
  private final Map<Integer, Follower> followers = new TreeMap<>();
  private final Map<String, SlotTable> tables = new HashMap<>();
  private final Deque<Queues.Change> changes = new ArrayDeque<>();
  private final List<Unconfirmed> unconfirmed = new ArrayList<>();

  private long lastEra = ThreadLocalRandom.current().nextLong(1L << 62);
  private QueuesState state = QueuesState.NONE;
  private @Nullable ActorRef<Ledger.Command> ledger;
  private Queues.@Nullable Change writing;

  /// Durable change that some dispatchers have not confirmed.
  private record Unconfirmed(Queues.Change change, QueueRule rule, long version) {}

  /// Dispatcher with the version of its confirmed rules.
  private static final class Follower {
    final ActorRef<Dispatcher.Command> dispatcher;
    long confirmed = -1;

    Follower(ActorRef<Dispatcher.Command> dispatcher) {
      this.dispatcher = dispatcher;
    }
  }

  private record ToQueues(ActorRef<Queues.Command> queues) implements Ledger.Sender {
    @Override
    public void tell(Ledger.Reply reply) {
      queues.tell(new Queues.Written(reply));
    }
  }

  QueuesActor(
      ActorContext<Queues.Command> context,
      TimerScheduler<Queues.Command> timers,
      Queues.Environment environment) {
    super(context);
    this.environment = environment;
    var tick = Queues.Tick.INSTANCE;
    timers.startTimerWithFixedDelay(tick, tick, environment.repeat());
  }

  @Override
  public Behavior<Queues.Command> onMessage(Queues.Command message) {
    switch (message) {
      case Queues.SlotsHeld held -> onHeld(held);
      case Queues.Hello(int partition, var dispatcher) -> onHello(partition, dispatcher);
      case Queues.Confirmed confirmed -> onConfirmed(confirmed);
      case Queues.Restored(var restored, var newLedger) -> onRestored(restored, newLedger);
      case Queues.Change change -> onChange(change);
      case Queues.Written(var reply) -> onWritten(reply);
      case Queues.GetRules(var replyTo) -> replyTo.tell(new Queues.Current(state.rules()));
      case Queues.Tick tick -> onTick();
    }
    return this;
  }

  @Override
  public Behavior<Queues.Command> onSignal(Signal signal) {
    return Behaviors.unhandled();
  }

  /// Whether the change in flight became durable shows in the recovered state.
  private void onRestored(QueuesState restored, ActorRef<Ledger.Command> newLedger) {
    ledger = newLedger;
    if (writing != null) {
      writing.replyTo().tell(new Queues.NotDone(writing.queue(), "partition 0 was opened anew"));
      writing = null;
    }
    goBy(restored);
    writeNext();
  }

  private void onHello(int partition, ActorRef<Dispatcher.Command> dispatcher) {
    followers.put(partition, new Follower(dispatcher));
    tables.values().forEach(table -> table.begin(partition, ++lastEra));
    tellRules(partition);
  }

  private void goBy(QueuesState next) {
    var before = state;
    state = next;
    tables.keySet().removeIf(queue -> limit(queue) == null);
    next.rules().keySet().stream()
        .filter(queue -> limit(queue) != null)
        .filter(queue -> !Objects.equals(limit(queue), before.rule(queue).maxRunning()))
        .forEach(this::beginCount);
    followers.keySet().forEach(this::tellRules);
  }

  private @Nullable Integer limit(String queue) {
    return state.rule(queue).maxRunning();
  }

  private void beginCount(String queue) {
    var table = new SlotTable(environment.partitions());
    followers.keySet().forEach(partition -> table.begin(partition, ++lastEra));
    tables.put(queue, table);
  }

  private void tellRules(int partition) {
    if (ledger != null) {
      var eras = new HashMap<String, Long>();
      tables.forEach((queue, table) -> eras.put(queue, table.era(partition)));
      tell(partition, new Dispatcher.Rules(state.version(), state.rules(), eras));
    }
  }

  private void tell(int partition, Dispatcher.Command message) {
    followers.get(partition).dispatcher.tell(message);
  }

  private void onConfirmed(Queues.Confirmed confirmed) {
    var follower = followers.get(confirmed.partition());
    if (follower != null && follower.dispatcher.equals(confirmed.dispatcher())) {
      follower.confirmed = Math.max(follower.confirmed, confirmed.version());
      answerConfirmed();
    }
  }

  private void answerConfirmed() {
    unconfirmed.removeIf(
        waiting -> {
          boolean everywhere = isEverywhere(waiting.version());
          if (everywhere) {
            var change = waiting.change();
            change.replyTo().tell(new Queues.Done(change.queue(), waiting.rule()));
          }
          return everywhere;
        });
  }

  private boolean isEverywhere(long version) {
    return followers.size() == environment.partitions()
        && followers.values().stream().allMatch(follower -> follower.confirmed >= version);
  }

  /// Unconfirmed changes count too, because confirmations can take long.
  private void onChange(Queues.Change change) {
    if (changes.size() + unconfirmed.size() < MOST_CHANGES) {
      changes.add(change);
      writeNext();
    } else {
      var reason = "%d changes of queues wait already".formatted(MOST_CHANGES);
      change.replyTo().tell(new Queues.NotDone(change.queue(), reason));
    }
  }

  private void writeNext() {
    while (writing == null && ledger != null && !changes.isEmpty()) {
      write(changes.poll());
    }
  }

  private void write(Queues.Change change) {
    var queue = change.queue();
    var rule = change.setting().on(state.rule(queue));
    if (rule.equals(state.rule(queue))) {
      changed(change);
      return;
    }
    writing = change;
    var at = Instant.ofEpochMilli(environment.clock().millis());
    var fact = environment.codec().encode(QueuesState.ID, new QueueFact.RuleSet(queue, rule, at));
    var sender = new ToQueues(getContext().getSelf());
    ledger.tell(
        new Ledger.Append(QueuesState.ID.value(), List.of(fact), List.of(), List.of(), sender));
  }

  private void onWritten(Ledger.Reply reply) {
    var change = writing;
    writing = null;
    if (change != null) {
      switch (reply) {
        case Ledger.Committed(var after, var others) -> {
          goBy((QueuesState) after);
          changed(change);
        }
        case Ledger.Refused(var reason) -> notDone(change, reason);
        case Ledger.Unavailable(var reason, var retryAfter) -> notDone(change, reason);
      }
    }
    writeNext();
  }

  private static void notDone(Queues.Change change, String reason) {
    change.replyTo().tell(new Queues.NotDone(change.queue(), reason));
  }

  private void changed(Queues.Change change) {
    unconfirmed.add(new Unconfirmed(change, state.rule(change.queue()), state.version()));
    answerConfirmed();
  }

  private void onHeld(Queues.SlotsHeld held) {
    var table = tables.get(held.queue());
    if (table != null) {
      table.tell(held);
      table.grant(limit(held.queue()), grantee(held.queue()));
    }
  }

  private SlotTable.Grantee grantee(String queue) {
    return (partition, era, granted) -> tell(partition, new Dispatcher.Slots(queue, era, granted));
  }

  /// Repeats rules and grants that were not acknowledged.
  private void onTick() {
    followers.forEach(
        (partition, follower) -> {
          if (follower.confirmed < state.version() || isUncounted(partition)) {
            tellRules(partition);
          }
        });
    tables.forEach((queue, table) -> table.repeat(grantee(queue)));
  }

  private boolean isUncounted(int partition) {
    return tables.values().stream().anyMatch(table -> !table.isCounted(partition));
  }
}
