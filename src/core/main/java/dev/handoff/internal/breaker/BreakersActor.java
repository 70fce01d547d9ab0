package dev.handoff.internal.breaker;

import dev.handoff.breaker.BreakerChange;
import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.text.NameRule;
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

/// Registry actor: finds or creates breakers by name, up to the configured limit. At the limit, it
/// asks breakers one by one to retire, least recently used first. Commands for new breakers wait
/// meanwhile; if no breaker retires, they are refused.
final class BreakersActor extends AbstractMatchingBehavior<Breakers.Command> {

  private static final int MOST_WAITING = 10_000;
  private static final int RESTARTS = 10;
  private static final Duration RESTARTS_WITHIN = Duration.ofSeconds(1);

  private final Breakers.Environment environment;

  /// In access order, least recently used first.
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
          getContext().spawnAnonymous(BreakerSurvey.create(refs(), order, replyTo));
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
    var problem = NameRule.problem("breaker", message.name());
    if (problem.isPresent()) {
      refuse(message, problem.get());
    } else if (!deliver(message)) {
      await(message);
    }
  }

  /// Delivers or answers a command; false if the command has to wait for room.
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

  /// Answers `NotFound` for an order that needs an existing breaker; true if answered.
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

  /// Removes a terminated subscriber or breaker. A breaker that exceeded its restart limit is
  /// created again on its next use.
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
