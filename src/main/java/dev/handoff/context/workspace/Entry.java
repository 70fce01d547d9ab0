package dev.handoff.context.workspace;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What is known of a file that was read: enough to tell whether it has changed, and what it refers
/// to.
///
/// @param size in bytes
/// @param modified nanoseconds since 1970, as is `read`
/// @param read when reading it began
/// @param hash of its bytes; empty if it was skipped
/// @param skipped why it is not indexed; null if it is
record Entry(
    String path,
    long size,
    long modified,
    long read,
    String hash,
    @Nullable Skip skipped,
    List<String> defines,
    List<String> mentions) {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long COARSE = 2 * SECOND;
  private static final long FINE = TimeUnit.MILLISECONDS.toNanos(100);

  Entry {
    defines = List.copyOf(defines);
    mentions = List.copyOf(mentions);
  }

  boolean isText() {
    return skipped == null;
  }

  /// Whether it surely is as it was read.
  boolean isStill(Scan.Seen seen) {
    return size == seen.size() && modified == seen.modified() && !isRacy();
  }

  /// Whether it may have been written once more after it was read, at the same time as far as its
  /// disk tells: some know only seconds, and none is finer than the ticks of its machine.
  boolean isRacy() {
    return modified > read - (modified % SECOND == 0 ? COARSE : FINE);
  }

  /// The same file, seen and read again.
  Entry seenAgain(Scan.Seen seen, long readAgain) {
    return new Entry(
        path, seen.size(), seen.modified(), readAgain, hash, skipped, defines, mentions);
  }
}
