package dev.handoff.dispatch;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// The dispatchers of a pool: where they are, and which of them have registered it.
final class Links {

  private final TreeMap<Integer, ActorRef<Dispatcher.Command>> met = new TreeMap<>();
  private final TreeMap<Integer, DispatcherLink> links = new TreeMap<>();
  private int lastServed = -1;

  /// A partition's dispatcher is here from now on.
  void meet(int partition, ActorRef<Dispatcher.Command> dispatcher) {
    met.put(partition, dispatcher);
  }

  Collection<ActorRef<Dispatcher.Command>> met() {
    return met.values();
  }

  /// A dispatcher has registered the pool. What comes from one that has been replaced is late.
  ///
  /// @return whether it has forgotten what it knew before
  boolean register(WorkerPool.Registered registered, long now) {
    var link = links.get(registered.partition());
    boolean isNews =
        registered.dispatcher().equals(met.get(registered.partition()))
            && (link == null
                || link.epoch != registered.epoch()
                || !link.dispatcher.equals(registered.dispatcher()));
    if (isNews) {
      links.put(registered.partition(), new DispatcherLink(registered, now));
    }
    return isNews;
  }

  /// The link to a partition, if it is of that epoch.
  @Nullable DispatcherLink get(int partition, long epoch) {
    var link = links.get(partition);
    return link != null && link.epoch == epoch ? link : null;
  }

  @Nullable DispatcherLink get(int partition) {
    return links.get(partition);
  }

  Collection<DispatcherLink> all() {
    return links.values();
  }

  /// The dispatchers that have answered no beat of the last time.
  List<DispatcherLink> silentFor(Duration time, long now) {
    return links.values().stream()
        .filter(link -> now - link.answeredAt() > time.toNanos())
        .toList();
  }

  /// A dispatcher is gone.
  void remove(ActorRef<?> dispatcher) {
    met.values().removeIf(dispatcher::equals);
    links.values().removeIf(link -> link.dispatcher.equals(dispatcher));
  }

  /// The dispatcher that gets the next worker: those that want one take turns. Null if none does.
  @Nullable DispatcherLink nextWanting() {
    return next(DispatcherLink::isWanting);
  }

  /// The dispatcher to which the next idle worker is lent. Null if none would keep one.
  @Nullable DispatcherLink nextToLend() {
    return next(DispatcherLink::wouldBorrow);
  }

  boolean isAnyWanting() {
    return links.values().stream().anyMatch(DispatcherLink::isWanting);
  }

  /// How many workers dispatchers have at hand without a job for them.
  int idle() {
    return links.values().stream().mapToInt(DispatcherLink::idle).sum();
  }

  private @Nullable DispatcherLink next(Predicate<DispatcherLink> which) {
    var next = first(which, links.tailMap(lastServed, false).values());
    next = next == null ? first(which, links.headMap(lastServed, true).values()) : next;
    lastServed = next == null ? lastServed : next.partition;
    return next;
  }

  private static @Nullable DispatcherLink first(
      Predicate<DispatcherLink> which, Collection<DispatcherLink> some) {
    for (var link : some) {
      if (which.test(link)) {
        return link;
      }
    }
    return null;
  }
}
