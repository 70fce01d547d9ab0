package dev.handoff.chaos;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/// Ends the process, and says what all threads were doing, when somebody has waited for longer than
/// any answer may take. It counts its own looks, not time, and each takes some memory: where the
/// collector works all of the time, nobody gets as far as to answer. Made while there is memory.
final class AnswerWatch {

  static final int EXIT_CODE = 97;

  private static final long LOOK_NANOS = Duration.ofMillis(500).toNanos();

  private static final int SOME = 64 * 1024;

  /// How many looks are left to whoever waits; 0 for those who do not.
  private final AtomicIntegerArray looks;

  private final AtomicReferenceArray<String> what;
  private volatile byte[] taken = {};

  /// @param callers who may wait, by number
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

  /// To the standard error.
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
