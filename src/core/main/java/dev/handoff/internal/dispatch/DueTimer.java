package dev.handoff.internal.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/// Timer for the next due job: a single timer of at most an hour, to bound the effect of a changed
/// clock.
final class DueTimer {

  private static final Duration LONGEST = Duration.ofHours(1);

  private final TimerScheduler<Dispatcher.Command> timers;
  private Instant next = Instant.MAX;

  DueTimer(TimerScheduler<Dispatcher.Command> timers) {
    this.timers = timers;
  }

  /// Schedules a wake-up, unless an earlier one is pending.
  void wakeAt(Instant due, Instant now) {
    if (due.isBefore(next)) {
      next = due;
      var wait = Duration.between(now, due).plusMillis(1);
      var bounded = wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
      timers.startSingleTimer(Dispatcher.Alarm.DUE, Dispatcher.Alarm.DUE, bounded);
    }
  }

  /// Replaces the wake-up time; no due job, no wake-up.
  void reset(Optional<Instant> due, Instant now) {
    next = Instant.MAX;
    timers.cancel(Dispatcher.Alarm.DUE);
    due.ifPresent(at -> wakeAt(at, now));
  }
}
