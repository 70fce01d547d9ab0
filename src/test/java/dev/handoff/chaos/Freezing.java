package dev.handoff.chaos;

import dev.handoff.chaos.Journal.What;
import java.time.Duration;

/// Services that are stopped for longer than they may be silent. None of their jobs has a time
/// limit that would end its attempt meanwhile.
final class Freezing {

  private static final Duration LONGER_THAN_ANY_LEASE = Duration.ofMillis(700);

  private Freezing() {}

  static Services.Running start(Services services, String keys) {
    var service =
        services.start(
            "keys=" + keys,
            "dispatch.heartbeat=100ms",
            "dispatch.lease=300ms",
            "dispatch.margin=100ms");
    service.await(What.UP, 1);
    service.await(What.BEGIN, 10);
    return service;
  }

  /// Each time it shows afterwards that it goes on.
  static void freeze(Services.Running service, int times) {
    for (int time = 0; time < times; time++) {
      service.freeze(LONGER_THAN_ANY_LEASE);
      service.tell("quick-" + time);
      service.await(What.ACCEPTED, 1);
    }
  }
}
