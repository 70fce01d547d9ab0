package dev.handoff.chaos;

import dev.handoff.chaos.ClientJournal.What;
import java.time.Duration;

/// Stops services with `SIGSTOP` for longer than any lease. Jobs with a time limit can time out in
/// the meantime; other attempts are unaffected.
final class FrozenServices {

  private static final Duration LONGER_THAN_ANY_LEASE = Duration.ofMillis(700);

  private FrozenServices() {}

  static ServiceProcesses.Running start(ServiceProcesses services) {
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

  /// Freezes a service repeatedly. After each pause, new jobs show that it works and supply
  /// attempts that can time out.
  static void freeze(ServiceProcesses.Running service, int times) {
    for (int time = 0; time < times; time++) {
      service.freeze(LONGER_THAN_ANY_LEASE);
      service.tell("late-" + time);
      service.tell("quick-" + time);
      service.await(What.ACCEPTED, 1);
    }
  }
}
