package dev.handoff.internal.dispatch.pool;

import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.WorkerPool;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Dispatchers of a pool: addresses and confirmed registrations.
final class DispatcherLinks {

  private final TreeMap<Integer, ActorRef<Dispatcher.Command>> met = new TreeMap<>();
  private final TreeMap<Integer, DispatcherLink> links = new TreeMap<>();
  private int lastServed = -1;

  /// Sets the dispatcher of a partition.
  void meet(int partition, ActorRef<Dispatcher.Command> dispatcher) {
    met.put(partition, dispatcher);
  }

  Collection<ActorRef<Dispatcher.Command>> met() {
    return met.values();
  }

  /// Records a confirmed registration. A replaced dispatcher's message is late and ignored.
  ///
  /// @return whether the registration is new, or the dispatcher has lost its former state
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

  /// Link to a partition if its epoch matches; null otherwise.
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

  /// Dispatchers whose last answered heartbeat is older than the given time.
  List<DispatcherLink> silentFor(Duration time, long now) {
    return links.values().stream()
        .filter(link -> now - link.answeredAt() > time.toNanos())
        .toList();
  }

  /// Removes a dispatcher that is gone.
  void remove(ActorRef<?> dispatcher) {
    met.values().removeIf(dispatcher::equals);
    links.values().removeIf(link -> link.dispatcher.equals(dispatcher));
  }

  /// Dispatcher for the next worker: wanting dispatchers take turns. Null if none.
  @Nullable DispatcherLink nextWanting() {
    return next(DispatcherLink::isWanting);
  }

  /// Dispatcher for the next loan of an idle worker; null if none.
  @Nullable DispatcherLink nextToLend() {
    return next(DispatcherLink::wouldBorrow);
  }

  boolean isAnyWanting() {
    return links.values().stream().anyMatch(DispatcherLink::isWanting);
  }

  /// Number of workers at dispatchers without a job.
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
