package dev.handoff.context.breaker;

import dev.handoff.cancel.Cancellation;
import dev.handoff.job.Names;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// Finds or makes the breaker of a name, and keeps no more of them than it may. Where there is no
/// room, breakers are asked one by one to leave, the one that was used longest ago first; whoever
/// needs the room waits meanwhile, and is refused if none can go.
final class BreakersActor extends AbstractMatchingBehavior<Breakers.Command> {

  private static final int MOST_WAITING = 10_000;
  private static final int RESTARTS = 10;
  private static final Duration RESTARTS_WITHIN = Duration.ofSeconds(1);

  private final Breakers.Environment environment;

  /// By their last use.
  private final Map<String, Entry> known = new LinkedHashMap<>(16, 0.75f, true);

  private final Set<ActorRef<BreakerChange>> subscribers = new HashSet<>();
  private final Deque<Breakers.ForOne> waiting = new ArrayDeque<>();
  private final Deque<Entry> candidates = new ArrayDeque<>();
  private @Nullable Entry asked;
  private long made;

  private static final class Entry {
    final String name;
    final ActorRef<Breaker.Command> ref;

    Entry(String name, ActorRef<Breaker.Command> ref) {
      this.name = name;
      this.ref = ref;
    }
  }

  BreakersActor(ActorContext<Breakers.Command> context, Breakers.Environment environment) {
    super(context);
    this.environment = environment;
  }

  @Override
  public Behavior<Breakers.Command> onMessage(Breakers.Command message) {
    switch (message) {
      case Breakers.ForOne one -> onForOne(one);
      case Breakers.SteerAll(var order, var replyTo) ->
          getContext().spawnAnonymous(Gathering.create(refs(), order, replyTo));
      case Breakers.Subscribe(var subscriber) -> onSubscribe(subscriber);
      case Breakers.Changed(var change) ->
          subscribers.forEach(subscriber -> subscriber.tell(change));
      case Breakers.Answered(var name, var breaker, boolean leaves) -> onAnswered(breaker, leaves);
    }
    return this;
  }

  @Override
  public Behavior<Breakers.Command> onSignal(Signal signal) {
    switch (signal) {
      case Terminated gone -> onGone(gone.getRef());
      case PostStop end -> onEnd();
      default -> {
        return Behaviors.unhandled();
      }
    }
    return this;
  }

  private Map<String, ActorRef<Breaker.Command>> refs() {
    return known.values().stream()
        .collect(Collectors.toMap(entry -> entry.name, entry -> entry.ref));
  }

  private void onForOne(Breakers.ForOne message) {
    var problem = Names.problem("breaker", message.name());
    if (problem.isPresent()) {
      refuse(message, problem.get());
    } else if (!deliver(message)) {
      await(message);
    }
  }

  /// Whether it could be delivered, or answered.
  private boolean deliver(Breakers.ForOne message) {
    var entry = known.get(message.name());
    if (entry == null && isOnlyForOneThatIsThere(message)) {
      return true;
    }
    if (entry == null && known.size() < environment.settings().keep()) {
      entry = make(message.name());
    }
    if (entry == null || entry == asked) {
      return false;
    }
    switch (message) {
      case Breakers.Acquire(var name, var replyTo) -> entry.ref.tell(new Breaker.Acquire(replyTo));
      case Breakers.Steer(var name, var order, var replyTo) ->
          entry.ref.tell(new Breaker.Steer(order, replyTo));
    }
    return true;
  }

  /// Then there is nothing to be done.
  private static boolean isOnlyForOneThatIsThere(Breakers.ForOne message) {
    return switch (message) {
      case Breakers.Acquire acquire -> false;
      case Breakers.Steer(var name, var order, var replyTo) ->
          switch (order) {
            case FORCE_OPEN, DISABLE -> false;
            case LOOK, RESET, AUTOMATIC -> {
              replyTo.tell(new Breakers.NotFound(name));
              yield true;
            }
          };
    };
  }

  private Entry make(String name) {
    var rule = environment.settings().rule(name);
    var needs = new Breaker.Environment(environment.clock(), environment.random());
    var restarted =
        Behaviors.supervise(Breaker.create(name, rule, needs, getContext().getSelf()))
            .onFailure(SupervisorStrategy.restart().withLimit(RESTARTS, RESTARTS_WITHIN));
    var ref = getContext().spawn(restarted, name + "~" + ++made);
    getContext().watch(ref);
    var entry = new Entry(name, ref);
    known.put(name, entry);
    return entry;
  }

  private void await(Breakers.ForOne message) {
    if (waiting.size() == MOST_WAITING) {
      refuse(message, "too many wait for room among the breakers; try again");
      return;
    }
    waiting.add(message);
    if (asked == null) {
      beginToAsk();
    }
  }

  private void beginToAsk() {
    candidates.clear();
    candidates.addAll(known.values());
    askNext();
  }

  private void askNext() {
    asked = candidates.poll();
    if (asked == null) {
      var reason =
          "there are %d breakers, and none is closed and unused; raise handoff.breakers.keep, or reset some"
              .formatted(known.size());
      waiting.forEach(message -> refuse(message, reason));
      waiting.clear();
    } else {
      asked.ref.tell(new Breaker.Retire(getContext().getSelf()));
    }
  }

  private void onAnswered(ActorRef<Breaker.Command> breaker, boolean leaves) {
    if (asked == null || !asked.ref.equals(breaker)) {
      return;
    }
    if (leaves) {
      known.remove(asked.name);
    }
    asked = null;
    var again = List.copyOf(waiting);
    waiting.clear();
    again.stream().filter(message -> !deliver(message)).forEach(waiting::add);
    if (waiting.isEmpty()) {
      candidates.clear();
    } else {
      askNext();
    }
  }

  private static void refuse(Breakers.ForOne message, String reason) {
    switch (message) {
      case Breakers.Acquire(var name, var replyTo) -> replyTo.tell(new Breaker.Refused(reason));
      case Breakers.Steer(var name, var order, var replyTo) ->
          replyTo.tell(new Breakers.NotPossible(reason));
    }
  }

  private void onSubscribe(ActorRef<BreakerChange> subscriber) {
    if (subscribers.add(subscriber)) {
      getContext().watch(subscriber);
    }
  }

  /// A subscriber, or a breaker: one that has failed too often is made anew when it is needed.
  private void onGone(ActorRef<?> gone) {
    subscribers.removeIf(subscriber -> subscriber.equals(gone));
    known.values().removeIf(entry -> entry != asked && entry.ref.equals(gone));
    candidates.removeIf(entry -> entry.ref.equals(gone));
    if (asked != null && asked.ref.equals(gone)) {
      onAnswered(asked.ref, true);
    }
  }

  private void onEnd() {
    environment
        .ending()
        .cancel(new Cancellation(Cancellation.Cause.SHUTDOWN, "the engine has ended", "engine"));
  }
}
