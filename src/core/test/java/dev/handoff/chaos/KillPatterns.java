package dev.handoff.chaos;

import dev.handoff.chaos.ClientJournal.What;
import java.util.ArrayList;
import java.util.List;

/// Repeatedly kills services.
final class KillPatterns {

  private KillPatterns() {}

  /// Kills a service after this number of journal lines since `UP`.
  static void once(ServiceProcesses services, String keys, int lines) {
    var service = services.start("keys=" + keys);
    service.await(What.UP, 1);
    service.await(lines);
    service.kill();
  }

  /// Runs services in sequence on one store; each dies at its own point.
  ///
  /// @param points points in the format of [HaltingStore.Point]
  static RunEvidence at(List<String> points, ServiceProcesses services, String... settings) {
    int number = 0;
    for (var point : points) {
      int first = 10 * number;
      var keys = "keys=run%d-0..63,hopeless-%d..%d".formatted(number++, first, first + 9);
      var told = new ArrayList<>(List.of(settings));
      told.addAll(List.of(keys, "halt=" + point));
      var service = services.start(told.toArray(String[]::new));
      int exitCode = service.exitCode();
      if (exitCode != HaltingStore.EXIT_CODE) {
        throw new AssertionError(
            "%s did not strike, but %d: %s".formatted(point, exitCode, service.complaints()));
      }
    }
    return services.finish(settings);
  }
}
