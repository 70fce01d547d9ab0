package dev.handoff.engine;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/// The room in the heap for what a partition reads back. A heap that is full leaves an engine that
/// cannot even say so: a start stops before that.
final class HeapRoom {

  /// How many jobs and plans are made between two looks: some MiB.
  private static final int BETWEEN_LOOKS = 1_000;

  /// The share of the heap that has to be left, for what is on its way and for the end.
  private static final int LEFT = 8;

  private final Runtime heap = Runtime.getRuntime();
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans();
  private int made;

  /// One more job or plan is about to be made.
  ///
  /// @throws IllegalStateException if there is no room for it
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

  /// What is used may be garbage. Where a collection cannot be asked for, nobody knows.
  private boolean isLowAfterCollection() {
    long before = collections();
    System.gc();
    return collections() > before && isLow();
  }

  private long collections() {
    return collectors.stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
  }
}
