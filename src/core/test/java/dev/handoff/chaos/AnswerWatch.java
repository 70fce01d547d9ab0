package dev.handoff.chaos;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/// Halts the process with a dump of all threads when a caller waits longer than any answer can
/// take. Time is measured in polls, and each poll allocates memory: during constant garbage
/// collection no caller gets an answer, so that time does not count. Create the watch before memory
/// runs out.
final class AnswerWatch {

  static final int EXIT_CODE = 97;

  private static final long LOOK_NANOS = Duration.ofMillis(500).toNanos();

  private static final int SOME = 64 * 1024;

  /// Remaining polls per caller; 0 for callers that do not wait.
  private final AtomicIntegerArray looks;

  private final AtomicReferenceArray<String> what;
  private volatile byte[] taken = {};

  /// @param callers number of callers; each uses its index
  AnswerWatch(int callers) {
    looks = new AtomicIntegerArray(callers);
    what = new AtomicReferenceArray<>(callers);
    Thread.ofPlatform().daemon().name("answer-watch").start(this::watch);
  }

  void asks(int caller, String question, Duration longest) {
    what.set(caller, question);
    looks.set(caller, Math.toIntExact(longest.toNanos() / LOOK_NANOS));
  }

  void isAnswered(int caller) {
    looks.set(caller, 0);
  }

  private void watch() {
    while (true) {
      LockSupport.parkNanos(LOOK_NANOS);
      if (!isThereMemory()) {
        continue;
      }
      for (int caller = 0; caller < looks.length(); caller++) {
        int left = looks.get(caller);
        if (left > 0 && looks.compareAndSet(caller, left, left - 1) && left == 1) {
          giveUp(what.get(caller));
        }
      }
    }
  }

  private boolean isThereMemory() {
    try {
      taken = new byte[SOME];
      return true;
    } catch (OutOfMemoryError full) {
      return false;
    }
  }

  private static void giveUp(String question) {
    try {
      dump("no answer: " + question);
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }

  /// Prints the stacks of all threads to standard error.
  static void dump(String why) {
    PrintStream err = System.err;
    err.println(why);
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              err.println(thread.getName() + " " + thread.getState());
              for (var frame : stack) {
                err.println("    " + frame);
              }
            });
    err.flush();
  }
}
