package dev.handoff.internal.engine;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/// Heap check during the recovery of a partition. An engine with a full heap cannot even report
/// that, so the start fails earlier.
final class HeapRoom {

  /// Number of jobs and plans between two checks: some MiB.
  private static final int BETWEEN_LOOKS = 1_000;

  /// Divisor for the free part of the heap: one eighth is reserved for messages in flight and for
  /// shutdown.
  private static final int LEFT = 8;

  private final Runtime heap = Runtime.getRuntime();
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans();
  private int made;

  /// Counts one more job or plan.
  ///
  /// @throws IllegalStateException if the heap has no room for it
  void take() {
    if (++made % BETWEEN_LOOKS == 0 && isLow() && isLowAfterCollection()) {
      throw new IllegalStateException(
          "the heap of %d MiB is too small for all jobs and plans that are live: set -Xmx higher"
              .formatted(heap.maxMemory() >> 20));
    }
  }

  private boolean isLow() {
    long used = heap.totalMemory() - heap.freeMemory();
    return heap.maxMemory() - used < heap.maxMemory() / LEFT;
  }

  /// Used memory may be garbage. If a collection cannot be forced, the result is unknown and counts
  /// as enough room.
  private boolean isLowAfterCollection() {
    long before = collections();
    System.gc();
    return collections() > before && isLow();
  }

  private long collections() {
    return collectors.stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
  }
}
