package dev.handoff.chaos;

import dev.handoff.chaos.ClientJournal.What;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Repeatedly kills services with plans.
final class PlanKills {

  static final String STORIES = "stories=RANDOM,DISPUTED,STOPPED,LASTING,FRESH";

  private PlanKills() {}

  /// Kills a service after this number of journal lines since `UP`.
  static void once(ServiceProcesses services, int seed, int lines) {
    var service = services.start(STORIES, "seed=" + seed);
    service.await(What.UP, 1);
    service.await(lines);
    service.kill();
  }

  /// Runs services in sequence on one store; each dies at its own point.
  ///
  /// @param points each is `halt=` with a [HaltingStore.Point], or `apply=` with a point of applies
  /// @param settings settings of all services; the last service omits the stories
  static PlanEvidence at(List<String> points, ServiceProcesses services, String... settings) {
    int seed = 0;
    for (var point : points) {
      var told = new ArrayList<>(List.of(settings));
      told.addAll(List.of(point, "seed=" + ++seed));
      dieAt(point, services.start(told.toArray(String[]::new)));
    }
    var last = Stream.of(settings).filter(setting -> !setting.startsWith("stories=")).toList();
    return services.finishPlans(last.toArray(String[]::new));
  }

  static void dieAt(String point, ServiceProcesses.Running service) {
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
