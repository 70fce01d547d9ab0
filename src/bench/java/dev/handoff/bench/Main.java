package dev.handoff.bench;

import java.util.Map;
import java.util.TreeMap;

/// `./sbt "bench durable"` and its siblings. Each prints what it does, a table, and one line of
/// JSON.
public final class Main {

  private interface Measurement {
    void run(Arguments arguments) throws Exception;
  }

  private static final Map<String, Measurement> ALL =
      new TreeMap<>(Map.of("durable", Durable::run));

  private Main() {}

  public static void main(String... words) throws Exception {
    var measurement = words.length == 0 ? null : ALL.get(words[0]);
    if (measurement == null) {
      System.err.println(
          "what to measure: " + String.join(", ", ALL.keySet()) + "; see docs/benchmarks.md");
      System.exit(2);
      return;
    }
    measurement.run(Arguments.of(words));
    System.exit(0);
  }
}
