package dev.handoff.bench;

import java.util.ArrayList;
import java.util.List;

/// Checks of one benchmark: limits that it has to keep, and promises that hold under any load.
final class Checks {

  private final String benchmark;
  private final List<String> failures = new ArrayList<>();
  private int passed;
  private int skipped;

  Checks(String benchmark) {
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

  /// @param reason why it cannot be measured here
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

  /// The sum of several benchmarks.
  void add(Checks other) {
    passed += other.passed;
    skipped += other.skipped;
    failures.addAll(other.failures);
  }

  /// Such as `12 passed, 0 failed`.
  String tally() {
    return passed
        + " passed, "
        + failures.size()
        + " failed"
        + (skipped > 0 ? ", " + skipped + " skipped" : "");
  }
}
