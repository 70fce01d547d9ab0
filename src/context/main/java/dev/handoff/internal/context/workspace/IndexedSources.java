package dev.handoff.internal.context.workspace;

import dev.handoff.context.Embedder;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// Sources and settings of an index.
///
/// @param root real path
/// @param excluded directories that are never scanned, as real paths
record IndexedSources(
    Path root,
    Set<Path> excluded,
    WorkspaceSettings settings,
    Embedder embedder,
    WordNormalizer vocabulary,
    InstantSource clock) {

  /// Must be raised when the stored fields change.
  private static final String SCHEMA = "1";

  IndexedSources {
    excluded = Set.copyOf(excluded);
  }

  /// Index version; a different version leads to a rebuild.
  String version() {
    return String.join(
        "/",
        SCHEMA,
        WordNormalizer.VERSION,
        FileOutliners.VERSION,
        embedder.id(),
        String.valueOf(embedder.dimensions()));
  }

  long now() {
    var now = clock.instant();
    return nanos(now);
  }

  static long nanos(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }

  static Instant instant(long nanos) {
    return Instant.EPOCH.plusNanos(nanos);
  }
}
