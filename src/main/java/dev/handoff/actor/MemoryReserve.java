package dev.handoff.actor;

import org.jspecify.annotations.Nullable;

/// Heap that is set aside for the ways out, and given back when an actor finds the heap full: an
/// engine that has to say that it is down needs memory for that. There is one for the whole JVM, as
/// there is one heap.
///
/// It is of no use against somebody who goes on taking what becomes free.
public final class MemoryReserve {

  private static final int CHUNK = 128 * 1024;
  private static final int MOST_CHUNKS = 128;

  /// One that is not needed is a 32nd of the heap, and at most 16 MiB. In small pieces, as a
  /// collector likes them best.
  private static volatile byte @Nullable [][] reserve;

  private MemoryReserve() {}

  /// Sets memory aside, unless that was done.
  public static void setAside() {
    if (reserve == null) {
      long chunks = Runtime.getRuntime().maxMemory() / 32 / CHUNK;
      reserve = new byte[Math.clamp(chunks, 1, MOST_CHUNKS)][CHUNK];
    }
  }

  /// Gives it back. Takes no memory itself.
  public static void giveBack() {
    reserve = null;
  }

  /// Gives it back if that is what failed.
  public static void giveBackAfter(Throwable failure) {
    if (failure instanceof OutOfMemoryError) {
      giveBack();
    }
  }

  static boolean isSetAside() {
    return reserve != null;
  }
}
