package dev.handoff.internal.actor;

import org.jspecify.annotations.Nullable;

/// Heap reserve for the shutdown path. It is released when an actor finds the heap full, because an
/// engine needs memory to report that it is down. One reserve serves the whole JVM, which has one
/// heap.
///
/// The reserve does not help against code that keeps allocating all free memory.
public final class MemoryReserve {

  private static final int CHUNK = 128 * 1024;
  private static final int MOST_CHUNKS = 128;

  /// Size: a 32nd of the heap, at most 16 MiB. Small chunks suit the garbage collector best.
  private static volatile byte @Nullable [][] reserve;

  private MemoryReserve() {}

  /// Allocates the reserve. Idempotent.
  public static void setAside() {
    if (reserve == null) {
      long chunks = Runtime.getRuntime().maxMemory() / 32 / CHUNK;
      reserve = new byte[Math.clamp(chunks, 1, MOST_CHUNKS)][CHUNK];
    }
  }

  /// Releases the reserve, without any allocation.
  public static void giveBack() {
    reserve = null;
  }

  /// Releases the reserve after an `OutOfMemoryError`.
  public static void giveBackAfter(Throwable failure) {
    if (failure instanceof OutOfMemoryError) {
      giveBack();
    }
  }

  static boolean isSetAside() {
    return reserve != null;
  }
}
