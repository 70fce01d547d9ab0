package dev.handoff.dispatch;

import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.Ledger;
import dev.handoff.ledger.WireMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// The rules of queues over all partitions: which are paused, and how many jobs of a queue may be claimed at once. One
/// per engine; what it is told is durable in partition 0 before it is done, and done when every dispatcher has
/// confirmed it.
///
/// A queue with a limit has that many slots. Dispatchers say how many they could use, are granted what is free in turn,
/// and give each back when the attempt's end is durable. Nothing is granted before every partition has said what it
/// holds, so that a limit holds over a restart too. A queue without a limit never asks.
public final class Queues extends AbstractMatchingBehavior<Queues.Command> {

  /// Messages accepted by the queues.
  public sealed interface Command {}

  /// Changes the rule of a queue. Answered with a [Reply] when it is durable and every dispatcher goes by it.
  /// Idempotent.
  public record Change(String queue, Setting setting, ActorRef<Reply> replyTo) implements Command, WireMessage {}

  /// What of a rule is changed; the rest stays.
  public sealed interface Setting extends WireMessage {
    QueueRule on(QueueRule rule);
  }

  public record Paused(boolean on) implements Setting {
    @Override
    public QueueRule on(QueueRule rule) {
      return new QueueRule(on, rule.maxRunning());
    }
  }

  /// @param maxRunning null takes the limit away
  public record Limited(@Nullable Integer maxRunning) implements Setting {
    @Override
    public QueueRule on(QueueRule rule) {
      return new QueueRule(rule.paused(), maxRunning);
    }
  }

  /// The answer to a change.
  public sealed interface Reply extends WireMessage {}

  public record Done(String queue, QueueRule rule) implements Reply {}

  /// The store is away, or refuses: nothing has changed.
  public record NotDone(String queue, String reason) implements Reply {}

  public record GetRules(ActorRef<Current> replyTo) implements Command, WireMessage {}

  public record Current(Map<String, QueueRule> rules) implements WireMessage {
    public Current {
      rules = Map.copyOf(rules);
    }
  }

  /// Partition 0 has been read back: these are the rules, and this is the ledger for new ones.
  public record Restored(QueuesState state, ActorRef<Ledger.Command> ledger)
      implements Command, NoSerializationVerificationNeeded {}

  /// A partition has a new dispatcher, which holds no slots.
  public record Hello(int partition, ActorRef<Dispatcher.Command> dispatcher) implements Command, WireMessage {}

  /// A dispatcher goes by these rules.
  ///
  /// @param running what it holds of limited queues
  public record Confirmed(int partition, long version, Map<String, Integer> running) implements Command, WireMessage {
    public Confirmed {
      running = Map.copyOf(running);
    }
  }

  /// How many slots a dispatcher could use beyond those it holds: a level.
  public record SlotsWanted(int partition, String queue, int count) implements Command, WireMessage {}

  public record SlotsBack(int partition, String queue, int count) implements Command, WireMessage {}

  private record Written(Ledger.Reply reply) implements Command, NoSerializationVerificationNeeded {}

  private record ToQueues(ActorRef<Command> queues) implements Ledger.Sender {
    @Override
    public void tell(Ledger.Reply reply) {
      queues.tell(new Written(reply));
    }
  }

  private enum Tick implements Command, NoSerializationVerificationNeeded {
    INSTANCE
  }

  /// @param partitions how many dispatchers there will be
  /// @param repeat how often rules are told again to dispatchers that have not confirmed them
  public record Environment(int partitions, FactCodec codec, InstantSource clock, Duration repeat) {}

  public static Behavior<Command> create(Environment environment) {
    return Behaviors.setup(
        context -> {
          context.setLoggerName(Queues.class);
          return Behaviors.withTimers(timers -> new Queues(context, timers, environment));
        });
  }

  private static final String TICK = "tick";

  private final Environment environment;
  private final Map<Integer, Follower> followers = new HashMap<>();
  private final Map<String, SlotTable> slots = new HashMap<>();
  private final Deque<Change> changes = new ArrayDeque<>();
  private final List<Unconfirmed> unconfirmed = new ArrayList<>();

  private QueuesState state = QueuesState.NONE;
  private @Nullable ActorRef<Ledger.Command> ledger;
  private @Nullable Change writing;

  /// A change that is durable, and not yet with every dispatcher.
  private record Unconfirmed(Change change, long version) {}

  /// A dispatcher and what it has confirmed.
  private static final class Follower {
    final ActorRef<Dispatcher.Command> dispatcher;
    final Set<String> counted = new HashSet<>();
    long confirmed = -1;

    Follower(ActorRef<Dispatcher.Command> dispatcher) {
      this.dispatcher = dispatcher;
    }
  }

  private Queues(ActorContext<Command> context, TimerScheduler<Command> timers, Environment environment) {
    super(context);
    this.environment = environment;
    timers.startTimerWithFixedDelay(TICK, Tick.INSTANCE, environment.repeat());
  }

  @Override
  public Behavior<Command> onMessage(Command message) {
    switch (message) {
      case SlotsWanted(int partition, var queue, int count) -> onWanted(partition, queue, count);
      case SlotsBack(int partition, var queue, int count) -> onBack(partition, queue, count);
      case Hello(int partition, var dispatcher) -> onHello(partition, dispatcher);
      case Confirmed confirmed -> onConfirmed(confirmed);
      case Restored restored -> onRestored(restored);
      case Change change -> onChange(change);
      case Written(var reply) -> onWritten(reply);
      case GetRules(var replyTo) -> replyTo.tell(new Current(state.rules()));
      case Tick tick -> followers.values().forEach(this::tellIfUnconfirmed);
    }
    return this;
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    return Behaviors.unhandled();
  }

  private void onRestored(Restored restored) {
    state = restored.state();
    ledger = restored.ledger();
    state.rules().forEach((queue, rule) -> table(queue));
    followers.values().forEach(this::tellIfUnconfirmed);
    writeNext();
  }

  private void onHello(int partition, ActorRef<Dispatcher.Command> dispatcher) {
    var follower = new Follower(dispatcher);
    followers.put(partition, follower);
    tellIfUnconfirmed(follower);
  }

  private void tellIfUnconfirmed(Follower follower) {
    if (ledger != null && follower.confirmed < state.version()) {
      follower.dispatcher.tell(new Dispatcher.Rules(state.version(), state.rules()));
    }
  }

  /// What a dispatcher holds is taken over for each queue once, when the limit is new to it: later, slots may be on
  /// their way.
  private void onConfirmed(Confirmed confirmed) {
    var follower = followers.get(confirmed.partition());
    if (follower == null || confirmed.version() > state.version()) {
      return;
    }
    follower.confirmed = Math.max(follower.confirmed, confirmed.version());
    follower.counted.removeIf(queue -> state.rule(queue).maxRunning() == null);
    for (var queue : limited()) {
      if (confirmed.version() == state.version() && follower.counted.add(queue)) {
        table(queue).report(confirmed.partition(), confirmed.running().getOrDefault(queue, 0));
      }
    }
    answerConfirmed();
    limited().forEach(this::grant);
  }

  private List<String> limited() {
    return state.rules().entrySet().stream()
        .filter(entry -> entry.getValue().maxRunning() != null)
        .map(Map.Entry::getKey)
        .toList();
  }

  private void answerConfirmed() {
    unconfirmed.removeIf(
        waiting -> {
          boolean everywhere =
              isComplete() && followers.values().stream().allMatch(f -> f.confirmed >= waiting.version());
          if (everywhere) {
            var queue = waiting.change().queue();
            waiting.change().replyTo().tell(new Done(queue, state.rule(queue)));
          }
          return everywhere;
        });
  }

  private boolean isComplete() {
    return followers.size() == environment.partitions();
  }

  private void onChange(Change change) {
    changes.add(change);
    writeNext();
  }

  private void writeNext() {
    if (writing != null || ledger == null || changes.isEmpty()) {
      return;
    }
    writing = changes.poll();
    var queue = writing.queue();
    var at = Instant.ofEpochMilli(environment.clock().millis());
    var fact = new QueueFact.RuleSet(queue, writing.setting().on(state.rule(queue)), at);
    ledger.tell(
        new Ledger.Append(
            QueuesState.ID.value(),
            List.of(environment.codec().encode(QueuesState.ID, fact)),
            List.of(),
            List.of(),
            new ToQueues(getContext().getSelf())));
  }

  private void onWritten(Ledger.Reply reply) {
    var change = writing;
    writing = null;
    switch (reply) {
      case Ledger.Committed(var after, var others) -> changed(change, (QueuesState) after);
      case Ledger.Refused(var reason) -> change.replyTo().tell(new NotDone(change.queue(), reason));
      case Ledger.Unavailable(var reason, var retryAfter) -> change.replyTo().tell(new NotDone(change.queue(), reason));
    }
    writeNext();
  }

  private void changed(Change change, QueuesState after) {
    state = after;
    if (state.rule(change.queue()).maxRunning() == null) {
      slots.remove(change.queue());
    }
    unconfirmed.add(new Unconfirmed(change, state.version()));
    followers.values().forEach(this::tellIfUnconfirmed);
    answerConfirmed();
  }

  private void onWanted(int partition, String queue, int count) {
    if (state.rule(queue).maxRunning() != null) {
      table(queue).want(partition, count);
      grant(queue);
    }
  }

  private void onBack(int partition, String queue, int count) {
    if (state.rule(queue).maxRunning() != null) {
      table(queue).back(partition, count);
      grant(queue);
    }
  }

  private void grant(String queue) {
    boolean allCounted = isComplete() && followers.values().stream().allMatch(f -> f.counted.contains(queue));
    if (allCounted) {
      table(queue)
          .grant(
              state.rule(queue).maxRunning(),
              (partition, count) -> followers.get(partition).dispatcher.tell(new Dispatcher.Slots(queue, count)));
    }
  }

  private SlotTable table(String queue) {
    return slots.computeIfAbsent(queue, name -> new SlotTable());
  }
}
