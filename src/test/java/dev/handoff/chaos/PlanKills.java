package dev.handoff.chaos;

import dev.handoff.chaos.Journal.What;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Ways to kill a service with plans over and over.
final class PlanKills {

  static final String STORIES = "stories=RANDOM,DISPUTED,STOPPED,LASTING,FRESH";

  private PlanKills() {}

  /// Kills a service when it has said so many lines since it was up.
  static void once(Services services, int seed, int lines) {
    var service = services.start(STORIES, "seed=" + seed);
    service.await(What.UP, 1);
    service.await(lines);
    service.kill();
  }

  /// Each service finds what the one before it has left, and dies at its own point.
  ///
  /// @param points each as `halt=` and a [HaltingStore.Point], or `apply=` and a point of applies
  /// @param settings the stories among them, which the last service does not live through
  static PlanEvidence at(List<String> points, Services services, String... settings) {
    int seed = 0;
    for (var point : points) {
      var told = new ArrayList<>(List.of(settings));
      told.addAll(List.of(point, "seed=" + ++seed));
      dieAt(point, services.start(told.toArray(String[]::new)));
    }
    var last = Stream.of(settings).filter(setting -> !setting.startsWith("stories=")).toList();
    return services.finishPlans(last.toArray(String[]::new));
  }

  static void dieAt(String point, Services.Running service) {
    try {
      int exitCode = service.exitCode();
      if (exitCode != HaltingStore.EXIT_CODE) {
        throw new AssertionError("it ended with %d: %s".formatted(exitCode, service.complaints()));
      }
    } catch (AssertionError other) {
      throw new AssertionError(point + " did not strike: " + other.getMessage(), other);
    }
  }
}
