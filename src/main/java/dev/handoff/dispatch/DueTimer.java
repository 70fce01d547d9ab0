package dev.handoff.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/// Wakes the dispatcher when the next job is due: one timer, of at most an hour, so that a clock
/// that is set does not matter for long.
final class DueTimer {

  private static final Duration LONGEST = Duration.ofHours(1);

  private final TimerScheduler<Dispatcher.Command> timers;
  private Instant next = Instant.MAX;

  DueTimer(TimerScheduler<Dispatcher.Command> timers) {
    this.timers = timers;
  }

  /// Wakes at that time, or sooner if that has been asked for.
  void wakeAt(Instant due, Instant now) {
    if (due.isBefore(next)) {
      next = due;
      var wait = Duration.between(now, due).plusMillis(1);
      var bounded = wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
      timers.startSingleTimer(Dispatcher.Alarm.DUE, Dispatcher.Alarm.DUE, bounded);
    }
  }

  /// Wakes at that time and not before; not at all if nothing is due.
  void reset(Optional<Instant> due, Instant now) {
    next = Instant.MAX;
    timers.cancel(Dispatcher.Alarm.DUE);
    due.ifPresent(at -> wakeAt(at, now));
  }
}
