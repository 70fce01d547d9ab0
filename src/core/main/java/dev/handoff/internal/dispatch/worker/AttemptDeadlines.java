package dev.handoff.internal.dispatch.worker;

import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.dispatch.DispatchSettings;
import dev.handoff.internal.job.JobPhase.StopCause;
import java.time.Duration;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/// Time limits of a worker's attempt: its timeout, its heartbeat timeout, and the grace after a
/// stop.
final class AttemptDeadlines {

  private static final String TIMEOUT = "timeout";
  private static final String HEARTBEAT = "heartbeat";
  private static final String GRACE = "grace";
  private static final String ABANDON = "abandon";

  /// Threshold of a CPU wait: a handler's thread beyond it is reported as held up.
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private final TimerScheduler<Worker.Command> timers;
  private final DispatchSettings settings;

  AttemptDeadlines(TimerScheduler<Worker.Command> timers, DispatchSettings settings) {
    this.timers = timers;
    this.settings = settings;
  }

  /// Whether a thread that has not begun waits too long for a CPU.
  boolean isHeldUp(WorkerAttempt now) {
    return now.attempt().silence().compareTo(LONGEST_WAIT) >= 0;
  }

  /// Starts the attempt's timers. They send [Worker.TimeOver] at its timeout or heartbeat timeout.
  void begin(WorkerAttempt now) {
    var options = now.order().spec().options();
    if (options.timeout() != null) {
      var over = new Worker.TimeOver(now.run(), StopCause.TIMEOUT);
      timers.startSingleTimer(TIMEOUT, over, options.timeout());
    }
    if (options.heartbeatTimeout() != null) {
      watchHeartbeat(now, options.heartbeatTimeout());
    }
  }

  private void watchHeartbeat(WorkerAttempt now, Duration patience) {
    var over = new Worker.TimeOver(now.run(), StopCause.HEARTBEAT);
    timers.startSingleTimer(HEARTBEAT, over, patience);
  }

  /// Extends the heartbeat timer of an attempt that was alive meanwhile, or waits for a child.
  ///
  /// @return whether time is left
  boolean extend(WorkerAttempt now, StopCause cause) {
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

  /// Repeats the expired timer after one heartbeat interval.
  void repeat(WorkerAttempt now, StopCause cause) {
    var again = new Worker.TimeOver(now.run(), cause);
    var key = cause == StopCause.HEARTBEAT ? HEARTBEAT : TIMEOUT;
    timers.startSingleTimer(key, again, settings.heartbeat());
  }

  /// Starts the timers of a stop: a grace without interrupt, an interrupt, then the attempt is
  /// abandoned. A lost lease has interrupted the attempt already.
  ///
  /// @param elapsed time since the stop was decided
  void stop(WorkerAttempt now, Cancellation why, Duration elapsed) {
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

  /// Cancels all timers.
  void end() {
    timers.cancelAll();
  }
}
