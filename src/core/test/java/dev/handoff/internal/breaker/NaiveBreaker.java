package dev.handoff.internal.breaker;

import dev.handoff.breaker.BreakerInfo;
import dev.handoff.breaker.BreakerStatus;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Simplest possible model of a breaker, as the reference for comparisons: three consecutive
/// failures, one trial, no bounds, sequential.
final class NaiveBreaker {

  private static final int OPEN_FOR = 30;
  private static final int TRIAL_DEADLINE = 30;
  private static final int LONGEST = 300;

  BreakerStatus status = BreakerStatus.CLOSED;
  long generation;
  long next;
  long calls;
  long successes;
  long failures;
  long rejected;
  long released;
  long late;
  long consecutive;
  private final Map<Long, Long> out = new HashMap<>();
  private final Set<Long> trials = new HashSet<>();
  private long seconds;
  private long due;
  private long length;

  NaiveBreaker copy() {
    var copy = new NaiveBreaker();
    copy.status = status;
    copy.generation = generation;
    copy.next = next;
    copy.calls = calls;
    copy.successes = successes;
    copy.failures = failures;
    copy.rejected = rejected;
    copy.released = released;
    copy.late = late;
    copy.consecutive = consecutive;
    copy.out.putAll(out);
    copy.trials.addAll(trials);
    copy.seconds = seconds;
    copy.due = due;
    copy.length = length;
    return copy;
  }

  private void become(BreakerStatus to) {
    status = to;
    generation++;
    trials.clear();
  }

  private void open() {
    length = Math.min(length == 0 ? OPEN_FOR : 2 * length, LONGEST);
    become(BreakerStatus.OPEN);
    due = seconds + length;
  }

  private void close() {
    length = 0;
    consecutive = 0;
    become(BreakerStatus.CLOSED);
  }

  void pass(long time) {
    seconds += time;
    if (status == BreakerStatus.OPEN && seconds >= due) {
      become(BreakerStatus.HALF_OPEN);
    } else if (status == BreakerStatus.HALF_OPEN && !trials.isEmpty() && seconds >= due) {
      trials.forEach(out::remove);
      failures++;
      consecutive++;
      open();
    }
  }

  /// Acquires a permit; -1 if there is none.
  long acquire() {
    boolean let =
        switch (status) {
          case CLOSED, DISABLED -> true;
          case OPEN, FORCED_OPEN -> false;
          case HALF_OPEN -> trials.isEmpty();
        };
    if (!let) {
      rejected++;
      return -1;
    }
    if (status == BreakerStatus.HALF_OPEN) {
      trials.add(next);
      due = seconds + TRIAL_DEADLINE;
    }
    calls++;
    out.put(next, generation);
    return next++;
  }

  Breaker.Heard report(long permit, CallResult result) {
    var given = out.remove(permit);
    if (given == null) {
      late++;
      return Breaker.Heard.REPEATED;
    }
    switch (result) {
      case CallResult.Success good -> successes++;
      case CallResult.Failure bad -> failures++;
      case CallResult.Nothing none -> released++;
    }
    if (given != generation) {
      late++;
      return Breaker.Heard.LATE;
    }
    boolean trial = trials.remove(permit);
    switch (result) {
      case CallResult.Success good -> {
        consecutive = 0;
        if (trial) {
          close();
        }
      }
      case CallResult.Failure bad -> {
        consecutive++;
        if (trial || status == BreakerStatus.CLOSED && consecutive == 3) {
          open();
        }
      }
      case CallResult.Nothing none -> {}
    }
    return Breaker.Heard.COUNTED;
  }

  void steer(Breaker.Order order) {
    switch (order) {
      case LOOK -> {}
      case RESET -> close();
      case FORCE_OPEN -> become(BreakerStatus.FORCED_OPEN);
      case DISABLE -> become(BreakerStatus.DISABLED);
      case AUTOMATIC -> {
        if (status == BreakerStatus.FORCED_OPEN || status == BreakerStatus.DISABLED) {
          close();
        }
      }
    }
  }

  BreakerInfo.Counts counts() {
    return new BreakerInfo.Counts(
        calls, successes, failures, 0, rejected, released, 0, late, consecutive);
  }
}
