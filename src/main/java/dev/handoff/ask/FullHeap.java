package dev.handoff.ask;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/// Steps that must be taken although the heap is full. Memory comes back, in general: the handler
/// that has filled the heap fails with an `OutOfMemoryError` too.
public final class FullHeap {

  /// How long memory is waited for. Whoever has none after that fails.
  private static final long LONGEST_NANOS = Duration.ofSeconds(10).toNanos();

  private FullHeap() {}

  /// Takes the step again while there is no memory for it. So the step does no harm when it is
  /// taken a second time.
  ///
  /// @param step made before, if the heap may be full already: there is no memory to make one
  /// @param what the step is given
  /// @throws OutOfMemoryError if there is no memory for a long time
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

  /// The same for a step that makes something.
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
