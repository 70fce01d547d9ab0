package dev.handoff.dispatch;

import dev.handoff.job.JobNotice.Ready;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The queues that have a job for one kind of worker, in the order in which they are served: the
/// one that has had the least for its weight goes first. What cannot go now is not in the order, so
/// that nobody has to step over it; and when it comes back it has saved nothing up.
final class Lineup {

  private static final Comparator<Place> LEAST_SERVED =
      Comparator.comparingDouble((Place place) -> place.served)
          .thenComparing(place -> place.lane.queue);

  private final Set<String> types;
  private final Map<Lane, Place> places = new HashMap<>();
  private final TreeSet<Place> order = new TreeSet<>(LEAST_SERVED);
  private double served;

  /// A queue, and how much it has had for its weight.
  private static final class Place {
    final Lane lane;
    double served;
    boolean standing;

    Place(Lane lane) {
      this.lane = lane;
    }
  }

  /// @param types what the workers can run
  Lineup(Set<String> types) {
    this.types = types;
  }

  /// The queue's jobs or its rule have changed.
  void refresh(Lane lane) {
    var place = places.get(lane);
    boolean standing = place != null && place.standing;
    boolean able = lane.claimable(types) > 0;
    if (able && !standing) {
      stand(place == null ? new Place(lane) : place);
    } else if (!able && standing) {
      order.remove(place);
      place.standing = false;
    }
  }

  private void stand(Place place) {
    places.put(place.lane, place);
    place.served = Math.max(place.served, served);
    place.standing = true;
    order.add(place);
  }

  /// The job whose turn it is; null if there is none. Counts for its queue, which has to be
  /// refreshed when the job has been taken out. A queue that may have given its slots back since it
  /// was refreshed is left out: it comes again with its next slot.
  @Nullable Ready next() {
    for (var place = order.pollFirst(); place != null; place = order.pollFirst()) {
      place.standing = false;
      if (place.lane.claimable(types) > 0) {
        served = place.served;
        place.served += 1.0 / place.lane.weight;
        return place.lane.first(types);
      }
    }
    return null;
  }

  /// How many jobs could be claimed now; counts no further than the given number.
  int wanted(int most) {
    int count = 0;
    for (var place : order) {
      count += Math.min(most, place.lane.claimable(types));
      if (count >= most) {
        return most;
      }
    }
    return count;
  }

  /// Forgets queues without jobs that have no more than their share behind them.
  void prune() {
    places.values().removeIf(place -> place.lane.isEmpty() && place.served <= served);
  }

  /// Whether it would make a difference to forget the queue.
  boolean remembers(Lane lane) {
    return places.containsKey(lane);
  }
}
