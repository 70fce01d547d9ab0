package dev.handoff.dispatch;

import dev.handoff.job.JobNotice.Ready;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Jobs of one kind, in their order: priority, then due time, then submission.
///
/// Jobs arrive nearly in the order in which they go: they line up in a ring, each a few places from
/// its end at most. Those that would have to push in further than that (a higher priority, mostly)
/// wait in a heap. So an ordinary job costs a comparison or two however many are waiting; a heap
/// alone takes a dozen that miss the cache. A job that is taken out from between stays where it is,
/// and does not count, until its turn comes or most of the others are such jobs, too.
final class Line {

  /// How far from the end a job may take its place.
  private static final int NEAR = 32;

  private static final int SMALLEST = 16;

  private final PriorityQueue<Ready> pushing = new PriorityQueue<>(1, Line::compare);
  private final Set<Ready> gone = Collections.newSetFromMap(new IdentityHashMap<>(0));
  private @Nullable Ready[] ring = new Ready[SMALLEST];
  private int first;
  private int length;

  /// Adds a job that is not in here. One that had left and says the very same again still stands
  /// where it stood.
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

  /// Takes out a job that is in here, wherever it stands.
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

  /// How many are held in memory, with those that have left.
  int held() {
    return length + pushing.size();
  }

  /// The first one; null if there is none.
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

  /// Which of two goes first. Written out, because it runs for every job more than once.
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

  /// A queue that was long once does not stay large.
  private void shrink() {
    if (ring.length > SMALLEST && length < ring.length / 8) {
      resize(ring.length / 4);
    }
  }

  /// Throws out what does not count.
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
