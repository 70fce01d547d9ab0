package dev.handoff.internal.dispatch;

import com.typesafe.config.Config;
import dev.handoff.internal.text.DurationWords;
import java.time.Duration;

/// Settings of dispatch: pools, dispatchers, stop of attempts.
///
/// @param workers attempts that one node runs at once on virtual threads; 0 = none
/// @param blockingThreads attempts that it also runs at once on platform threads
/// @param heartbeat interval at which pools and dispatchers repeat their levels
/// @param lease longest silence of a pool on another node
/// @param margin extra time that the dispatcher adds to the lease
/// @param grace time from a cancel to the interrupt of the handler's thread
/// @param abandon time from a cancel until the attempt is abandoned
/// @param shutdownGrace time for running attempts to end when the engine stops
public record DispatchSettings(
    int workers,
    int blockingThreads,
    Duration heartbeat,
    Duration lease,
    Duration margin,
    Duration grace,
    Duration abandon,
    Duration shutdownGrace) {

  public DispatchSettings {
    if (workers < 0 || workers > 100_000) {
      throw new IllegalArgumentException("handoff.workers must be 0 to 100000, was " + workers);
    }
    if (blockingThreads < 1 || blockingThreads > 10_000) {
      throw new IllegalArgumentException(
          "handoff.blocking-threads must be 1 to 10000, was " + blockingThreads);
    }
    require("handoff.dispatch.heartbeat", heartbeat);
    require("handoff.dispatch.lease", lease);
    if (lease.compareTo(heartbeat.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "handoff.dispatch.lease must be at least two heartbeats (%s), was %s"
              .formatted(DurationWords.exact(heartbeat), DurationWords.exact(lease)));
    }
    if (abandon.compareTo(grace) < 0) {
      throw new IllegalArgumentException(
          "handoff.cancel.abandon must be at least handoff.cancel.grace (%s), was %s"
              .formatted(DurationWords.exact(grace), DurationWords.exact(abandon)));
    }
  }

  public static DispatchSettings from(Config handoff) {
    return new DispatchSettings(
        handoff.getInt("workers"),
        handoff.getInt("blocking-threads"),
        handoff.getDuration("dispatch.heartbeat"),
        handoff.getDuration("dispatch.lease"),
        handoff.getDuration("dispatch.margin"),
        handoff.getDuration("cancel.grace"),
        handoff.getDuration("cancel.abandon"),
        handoff.getDuration("shutdown-grace"));
  }

  /// Settings of the pool on platform threads. It has one worker per thread, but no more workers
  /// than the pool on virtual threads.
  public DispatchSettings forBlocking() {
    return new DispatchSettings(
        Math.min(workers, blockingThreads),
        blockingThreads,
        heartbeat,
        lease,
        margin,
        grace,
        abandon,
        shutdownGrace);
  }

  /// Number of silent heartbeats before a pool on another node is lost: lease plus margin, extended
  /// by delays of the dispatcher itself.
  int patience() {
    long silence = lease.plus(margin).toNanos();
    long beat = heartbeat.toNanos();
    return (int) Math.min(Integer.MAX_VALUE, (silence + beat - 1) / beat);
  }

  private static void require(String key, Duration value) {
    if (value.toMillis() < 1) {
      throw new IllegalArgumentException(
          key + " must be at least 1ms, was " + DurationWords.exact(value));
    }
  }
}
