package dev.handoff.chaos;

import dev.handoff.chaos.Journal.What;
import java.util.ArrayList;
import java.util.List;

/// Ways to kill a service over and over.
final class Kills {

  private Kills() {}

  /// Kills a service when it has said so many lines since it was up.
  static void once(Services services, String keys, int lines) {
    var service = services.start("keys=" + keys);
    service.await(What.UP, 1);
    service.await(lines);
    service.kill();
  }

  /// Each service finds what the one before it has left, and dies at its own point.
  ///
  /// @param points as [HaltingStore.Point] reads them
  static Evidence at(List<String> points, Services services, String... settings) {
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
