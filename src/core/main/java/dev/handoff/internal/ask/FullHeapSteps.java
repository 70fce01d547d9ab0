package dev.handoff.internal.ask;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/// Retries for steps that must succeed although the heap is full. Memory usually comes back: the
/// handler that filled the heap fails with an `OutOfMemoryError` too.
public final class FullHeapSteps {

  /// Longest time of retries; after that the step fails.
  private static final long LONGEST_NANOS = Duration.ofSeconds(10).toNanos();

  private FullHeapSteps() {}

  /// Runs a step, and repeats it while it fails for lack of memory. The step must be harmless when
  /// repeated.
  ///
  /// @param step step, created in advance if the heap may already be full
  /// @param what argument of the step
  /// @throws OutOfMemoryError if memory is missing for a long time
  public static <T> void outlast(Consumer<? super T> step, T what) {
    long began = System.nanoTime();
    while (true) {
      try {
        step.accept(what);
        return;
      } catch (OutOfMemoryError full) {
        await(began, full);
      }
    }
  }

  /// Variant for a step that returns a value.
  static <T, R> R make(Function<? super T, R> step, T what) {
    long began = System.nanoTime();
    while (true) {
      try {
        return step.apply(what);
      } catch (OutOfMemoryError full) {
        await(began, full);
      }
    }
  }

  private static void await(long began, OutOfMemoryError full) {
    if (System.nanoTime() - began > LONGEST_NANOS) {
      throw full;
    }
    Thread.yield();
  }
}
