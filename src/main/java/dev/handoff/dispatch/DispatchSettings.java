package dev.handoff.dispatch;

import com.typesafe.config.Config;
import dev.handoff.actor.DurationWords;
import java.time.Duration;

/// How pools and dispatchers keep in touch, and how an attempt is brought to its end.
///
/// @param workers attempts that one node runs at once on virtual threads; 0 = it runs none
/// @param blockingThreads attempts that it runs at once on platform threads, beside those
/// @param heartbeat how often pools and dispatchers tell each other what they hold
/// @param lease how long a pool on another node may be silent
/// @param margin how much longer than that its dispatcher waits
/// @param grace how long a cancelled handler may go on before its thread is interrupted
/// @param abandon how long, from its cancel, before it is given up
/// @param shutdownGrace how long running attempts may go on when the engine stops
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

  /// The same for the workers that run on platform threads: as many as there may be of those, and
  /// no more than there are others.
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

  /// After how many heartbeats without a word a pool on another node is lost: not before its lease
  /// and the margin are over, and later by as much as the dispatcher itself was held up.
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
