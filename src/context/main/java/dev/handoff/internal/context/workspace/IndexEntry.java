package dev.handoff.internal.context.workspace;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Metadata of an indexed file: detects changes and holds its names and references.
///
/// @param size in bytes
/// @param modified nanoseconds since 1970, like `read`
/// @param read start time of the read
/// @param hash of the bytes; empty if skipped
/// @param skipped reason for skipping; null if indexed
record IndexEntry(
    String path,
    long size,
    long modified,
    long read,
    String hash,
    @Nullable SkipReason skipped,
    List<String> defines,
    List<String> mentions) {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long COARSE = 2 * SECOND;
  private static final long FINE = TimeUnit.MILLISECONDS.toNanos(100);

  IndexEntry {
    defines = List.copyOf(defines);
    mentions = List.copyOf(mentions);
  }

  boolean isText() {
    return skipped == null;
  }

  /// Whether the file is certainly unchanged since its read.
  boolean isStill(DirectoryScan.Seen seen) {
    return size == seen.size() && modified == seen.modified() && !isRacy();
  }

  /// Whether a write after the read could have left an equal modification time. Some file systems
  /// store whole seconds, and none is finer than the system clock tick.
  boolean isRacy() {
    return modified > read - (modified % SECOND == 0 ? COARSE : FINE);
  }

  /// Copy with the metadata of a later scan and read.
  IndexEntry seenAgain(DirectoryScan.Seen seen, long readAgain) {
    return new IndexEntry(
        path, seen.size(), seen.modified(), readAgain, hash, skipped, defines, mentions);
  }
}
