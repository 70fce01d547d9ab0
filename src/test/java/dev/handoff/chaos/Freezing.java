package dev.handoff.chaos;

import dev.handoff.chaos.Journal.What;
import java.time.Duration;

/// Services that are stopped for longer than they may be silent. What has a time limit of its own
/// may time out meanwhile; nothing else happens to an attempt.
final class Freezing {

  private static final Duration LONGER_THAN_ANY_LEASE = Duration.ofMillis(700);

  private Freezing() {}

  static Services.Running start(Services services) {
    var service =
        services.start(
            "keys=long-1..3,run0-0..99",
            "dispatch.heartbeat=100ms",
            "dispatch.lease=300ms",
            "dispatch.margin=100ms");
    service.await(What.UP, 1);
    service.await(What.BEGIN, 10);
    return service;
  }

  /// Each time it shows afterwards that it goes on, and has something to run that may time out.
  static void freeze(Services.Running service, int times) {
    for (int time = 0; time < times; time++) {
      service.freeze(LONGER_THAN_ANY_LEASE);
      service.tell("late-" + time);
      service.tell("quick-" + time);
      service.await(What.ACCEPTED, 1);
    }
  }
}
