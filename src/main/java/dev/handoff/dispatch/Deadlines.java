package dev.handoff.dispatch;

import dev.handoff.cancel.Cancellation;
import dev.handoff.job.Phase.StopCause;
import java.time.Duration;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/// How long the attempt of a worker may take, and be silent, and how long it has to obey once it is
/// to stop.
final class Deadlines {

  private static final String TIMEOUT = "timeout";
  private static final String HEARTBEAT = "heartbeat";
  private static final String GRACE = "grace";
  private static final String ABANDON = "abandon";

  /// How long a handler's thread may wait for a processor before that is worth a word.
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private final TimerScheduler<Worker.Command> timers;
  private final DispatchSettings settings;

  Deadlines(TimerScheduler<Worker.Command> timers, DispatchSettings settings) {
    this.timers = timers;
    this.settings = settings;
  }

  /// Whether the thread of an attempt that has not begun waits remarkably long.
  boolean isHeldUp(RunningAttempt now) {
    return now.attempt().silence().compareTo(LONGEST_WAIT) >= 0;
  }

  /// An attempt has begun. Answered with [Worker.TimeOver] if it takes too long, or is too silent.
  void begin(RunningAttempt now) {
    var options = now.order().spec().options();
    if (options.timeout() != null) {
      var over = new Worker.TimeOver(now.run(), StopCause.TIMEOUT);
      timers.startSingleTimer(TIMEOUT, over, options.timeout());
    }
    if (options.heartbeatTimeout() != null) {
      watchHeartbeat(now, options.heartbeatTimeout());
    }
  }

  private void watchHeartbeat(RunningAttempt now, Duration patience) {
    var over = new Worker.TimeOver(now.run(), StopCause.HEARTBEAT);
    timers.startSingleTimer(HEARTBEAT, over, patience);
  }

  /// Gives an attempt more time that has shown a sign of life meanwhile, or waits for a child.
  ///
  /// @return whether it has more
  boolean extend(RunningAttempt now, StopCause cause) {
    if (cause != StopCause.HEARTBEAT) {
      return false;
    }
    var patience = now.order().spec().options().heartbeatTimeout();
    var left = now.isParked() ? patience : patience.minus(now.attempt().silence());
    if (left.isPositive()) {
      watchHeartbeat(now, left);
    }
    return left.isPositive();
  }

  /// The time is over, and is said to be so again after a heartbeat.
  void repeat(RunningAttempt now, StopCause cause) {
    var again = new Worker.TimeOver(now.run(), cause);
    var key = cause == StopCause.HEARTBEAT ? HEARTBEAT : TIMEOUT;
    timers.startSingleTimer(key, again, settings.heartbeat());
  }

  /// The attempt is to stop: it has some time to obey in peace, then interrupted, then none. One
  /// whose lease is lost has been interrupted already.
  ///
  /// @param elapsed how long ago that was decided
  void stop(RunningAttempt now, Cancellation why, Duration elapsed) {
    timers.cancel(TIMEOUT);
    timers.cancel(HEARTBEAT);
    if (why.cause() != Cancellation.Cause.LEASE_LOST) {
      after(settings.grace().minus(elapsed), GRACE, new Worker.GraceOver(now.run()));
    }
    after(settings.abandon().minus(elapsed), ABANDON, new Worker.AbandonDue(now.run()));
  }

  private void after(Duration delay, String key, Worker.Command message) {
    timers.startSingleTimer(key, message, delay.isNegative() ? Duration.ZERO : delay);
  }

  /// Nothing is waited for any more.
  void end() {
    timers.cancelAll();
  }
}
