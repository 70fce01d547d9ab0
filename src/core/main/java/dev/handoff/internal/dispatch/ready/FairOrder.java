package dev.handoff.internal.dispatch.ready;

import dev.handoff.internal.job.JobNotice.Ready;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Fair order of queues with jobs for one kind of worker: the queue with the least service relative
/// to its weight goes first. A queue without a claimable job leaves the order, so that no search
/// steps over it; on return it has no advantage from its absence.
public final class FairOrder {

  private static final Comparator<Place> LEAST_SERVED =
      Comparator.comparingDouble((Place place) -> place.served)
          .thenComparing(place -> place.readyQueue.queue);

  private final Set<String> types;
  private final Map<ReadyQueue, Place> places = new HashMap<>();
  private final TreeSet<Place> order = new TreeSet<>(LEAST_SERVED);
  private double served;

  /// Queue with its service relative to its weight.
  private static final class Place {
    final ReadyQueue readyQueue;
    double served;
    boolean present;

    Place(ReadyQueue readyQueue) {
      this.readyQueue = readyQueue;
    }
  }

  /// @param types types that the workers can run
  FairOrder(Set<String> types) {
    this.types = types;
  }

  /// Updates the order after a change of the queue's jobs or rule.
  void refresh(ReadyQueue readyQueue) {
    var place = places.get(readyQueue);
    boolean present = place != null && place.present;
    boolean able = readyQueue.claimable(types) > 0;
    if (able && !present) {
      insert(place == null ? new Place(readyQueue) : place);
    } else if (!able && present) {
      order.remove(place);
      place.present = false;
    }
  }

  private void insert(Place place) {
    places.put(place.readyQueue, place);
    place.served = Math.max(place.served, served);
    place.present = true;
    order.add(place);
  }

  /// Takes the next job; null if none. Its queue is charged for the service, and must be refreshed
  /// after the job's removal. A queue that returned its slots since its last refresh is skipped,
  /// and re-enters with its next slot.
  @Nullable Ready next() {
    for (var place = order.pollFirst(); place != null; place = order.pollFirst()) {
      place.present = false;
      if (place.readyQueue.claimable(types) > 0) {
        served = place.served;
        place.served += 1.0 / place.readyQueue.weight;
        return place.readyQueue.first(types);
      }
    }
    return null;
  }

  /// Number of claimable jobs, counted up to a maximum.
  public int wanted(int most) {
    int count = 0;
    for (var place : order) {
      count += Math.min(most, place.readyQueue.claimable(types));
      if (count >= most) {
        return most;
      }
    }
    return count;
  }

  /// Removes queues without jobs that are not ahead in service.
  void prune() {
    places.values().removeIf(place -> place.readyQueue.isEmpty() && place.served <= served);
  }

  /// Whether the order holds data of the queue.
  boolean remembers(ReadyQueue readyQueue) {
    return places.containsKey(readyQueue);
  }
}
