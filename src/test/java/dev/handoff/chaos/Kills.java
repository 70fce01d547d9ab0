package dev.handoff.chaos;

import dev.handoff.chaos.Journal.What;
import java.util.List;
import java.util.Random;

/// Ways to kill a service over and over.
final class Kills {

  private Kills() {}

  /// Lets a service go on for a while, kills it, starts the next one; the last one finishes.
  static Evidence atRandom(Services services, int cycles, Random random) {
    for (int cycle = 0; cycle < cycles; cycle++) {
      var service = services.start("keys=run" + cycle + "-0..149");
      service.await(What.UP, 1);
      service.await(random.nextInt(600));
      service.kill();
    }
    return services.finish();
  }

  /// Each service finds what the one before it has left, and dies at its own point.
  ///
  /// @param points as [HaltingStore.Point] reads them
  static Evidence at(List<String> points, Services services, String... settings) {
    int number = 0;
    for (var point : points) {
      var told = new java.util.ArrayList<>(List.of(settings));
      told.addAll(List.of("keys=run" + number++ + "-0..63", "halt=" + point));
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
