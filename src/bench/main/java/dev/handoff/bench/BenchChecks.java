package dev.handoff.bench;

import java.util.ArrayList;
import java.util.List;

/// Checks of one benchmark: performance limits, and promises that hold under any load.
final class BenchChecks {

  private final String benchmark;
  private final List<String> failures = new ArrayList<>();
  private int passed;
  private int skipped;

  BenchChecks(String benchmark) {
    this.benchmark = benchmark;
  }

  /// @param words the promise, as a sentence
  void that(String words, boolean kept) {
    if (kept) {
      passed++;
    } else {
      failures.add("* bench " + benchmark + ": not so: " + words);
      System.out.println("NOT SO: " + words);
    }
  }

  /// @param reason why this machine cannot measure it
  void skip(String reason) {
    skipped++;
    System.out.println("skipped: " + reason);
  }

  void failed(Throwable failure) {
    failures.add("* bench " + benchmark + ": " + failure);
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  /// Adds the results of another benchmark.
  void add(BenchChecks other) {
    passed += other.passed;
    skipped += other.skipped;
    failures.addAll(other.failures);
  }

  /// Summary such as `12 passed, 0 failed`.
  String tally() {
    return passed
        + " passed, "
        + failures.size()
        + " failed"
        + (skipped > 0 ? ", " + skipped + " skipped" : "");
  }
}
