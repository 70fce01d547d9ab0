package dev.handoff.internal.dispatch.ready;

import dev.handoff.internal.job.JobNotice.Ready;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Jobs of one queue and type in dispatch order: priority, then due time, then submission.
///
/// Jobs arrive nearly in dispatch order. So they stand in a ring buffer, where an insertion moves
/// at most a few entries near the end. A job that would have to move further (mostly one of higher
/// priority) goes into a heap. An ordinary job thus costs one or two comparisons at any length; a
/// heap alone costs a dozen cache misses. A job removed from the middle stays as a tombstone until
/// it reaches the head, or until tombstones are the majority.
final class PriorityLine {

  /// Maximum distance from the end for an insertion.
  private static final int NEAR = 32;

  private static final int SMALLEST = 16;

  private final PriorityQueue<Ready> pushing = new PriorityQueue<>(1, PriorityLine::compare);
  private final Set<Ready> gone = Collections.newSetFromMap(new IdentityHashMap<>(0));
  private @Nullable Ready[] ring = new Ready[SMALLEST];
  private int first;
  private int length;

  /// Adds a job that is not present. A removed job that is added again unchanged takes its old
  /// place: its tombstone is cleared.
  void add(Ready job) {
    if (!gone.isEmpty() && gone.remove(job)) {
      return;
    }
    int place = length;
    int nearest = Math.max(0, length - NEAR);
    while (place > nearest && compare(job, at(place - 1)) < 0) {
      place--;
    }
    if (place > 0 && place == nearest && compare(job, at(place - 1)) < 0) {
      pushing.add(job);
    } else {
      insert(place, job);
    }
  }

  /// Removes a job from any place; it must be present.
  void remove(Ready job) {
    if (peek() == job) {
      poll(job);
    } else {
      gone.add(job);
      if (gone.size() > SMALLEST && gone.size() > size()) {
        clear();
      }
    }
  }

  int size() {
    return held() - gone.size();
  }

  boolean isEmpty() {
    return size() == 0;
  }

  /// Number of entries in memory, tombstones included.
  int held() {
    return length + pushing.size();
  }

  /// First job; null if empty.
  @Nullable Ready peek() {
    var head = head();
    while (!gone.isEmpty() && gone.remove(head)) {
      poll(head);
      head = head();
    }
    return head;
  }

  private @Nullable Ready head() {
    var pusher = pushing.peek();
    var head = length == 0 ? null : at(0);
    return head == null || (pusher != null && compare(pusher, head) < 0) ? pusher : head;
  }

  private void poll(Ready head) {
    if (length == 0 || at(0) != head) {
      pushing.poll();
    } else {
      ring[first] = null;
      first = (first + 1) & (ring.length - 1);
      length--;
      shrink();
    }
  }

  /// Dispatch order of two jobs. Hand-written, because it runs more than once per job.
  static int compare(Ready one, Ready other) {
    int order = Integer.compare(other.priority(), one.priority());
    order = order != 0 ? order : one.due().compareTo(other.due());
    return order != 0 ? order : one.job().value().compareTo(other.job().value());
  }

  private void insert(int place, Ready job) {
    if (length == ring.length) {
      resize(2 * ring.length);
    }
    for (int i = length; i > place; i--) {
      ring[index(i)] = ring[index(i - 1)];
    }
    ring[index(place)] = job;
    length++;
  }

  /// Shrinks the ring buffer of a queue that was once long.
  private void shrink() {
    if (ring.length > SMALLEST && length < ring.length / 8) {
      resize(ring.length / 4);
    }
  }

  /// Removes all tombstones.
  private void clear() {
    pushing.removeIf(gone::contains);
    int kept = 0;
    for (int i = 0; i < length; i++) {
      var job = at(i);
      if (!gone.contains(job)) {
        ring[index(kept++)] = job;
      }
    }
    for (int i = kept; i < length; i++) {
      ring[index(i)] = null;
    }
    length = kept;
    gone.clear();
    shrink();
  }

  private void resize(int size) {
    var larger = new Ready[size];
    for (int i = 0; i < length; i++) {
      larger[i] = ring[index(i)];
    }
    ring = larger;
    first = 0;
  }

  private Ready at(int place) {
    return ring[index(place)];
  }

  private int index(int place) {
    return (first + place) & (ring.length - 1);
  }
}
