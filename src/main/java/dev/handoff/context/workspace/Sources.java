package dev.handoff.context.workspace;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// What is indexed, and how.
///
/// @param root without links
/// @param excluded directories that are never looked at, without links
record Sources(
    Path root,
    Set<Path> excluded,
    WorkspaceSettings settings,
    Embedder embedder,
    Vocabulary vocabulary,
    InstantSource clock) {

  /// Raised when what is stored changes.
  private static final String SCHEMA = "1";

  Sources {
    excluded = Set.copyOf(excluded);
  }

  /// An index of another version is made anew.
  String version() {
    return String.join(
        "/",
        SCHEMA,
        Vocabulary.VERSION,
        Outliners.VERSION,
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
