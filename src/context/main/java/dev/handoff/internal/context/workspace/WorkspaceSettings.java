package dev.handoff.internal.context.workspace;

import com.typesafe.config.Config;
import dev.handoff.internal.text.Durations;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Settings for workspaces and their indexes.
///
/// @param directory location of the indexes; empty = beside the store, or in memory
/// @param refreshAfter maximum age of a snapshot
/// @param open limit of open directories
/// @param threads indexing threads per directory
public record WorkspaceSettings(
    Optional<Path> directory,
    Duration refreshAfter,
    int open,
    int threads,
    Limits limits,
    History history) {

  private static final String SECTION = "handoff.context.workspace.";
  private static final Duration LONGEST = Duration.ofDays(1);

  /// Size limits of an index.
  ///
  /// @param files number of visited files and directories
  /// @param fileSize size of a single file in bytes
  /// @param totalSize sum of all file sizes in bytes
  public record Limits(int files, long fileSize, long totalSize) {
    public Limits {
      require("max-files", files, 1, 10_000_000);
      require("max-file-size", fileSize, 1, 64 << 20);
      require("max-total-size", totalSize, 1, 1L << 40);
    }
  }

  /// Limits for reading git history.
  ///
  /// @param commits number of commits
  /// @param patience time limit
  public record History(int commits, Duration patience) {
    public History {
      require("history.commits", commits, 0, 1_000_000);
      require("history.patience", patience);
    }
  }

  public WorkspaceSettings {
    require("refresh-after", refreshAfter);
    require("open", open, 1, 1_000);
    require("threads", threads, 1, 64);
  }

  /// @param handoff section `handoff`
  public static WorkspaceSettings from(Config handoff) {
    var section = handoff.getConfig("context.workspace");
    return new WorkspaceSettings(
        Optional.of(section.getString("directory"))
            .filter(path -> !path.isBlank())
            .map(WorkspaceSettings::path),
        section.getDuration("refresh-after"),
        section.getInt("open"),
        section.getInt("threads"),
        new Limits(
            section.getInt("max-files"),
            section.getBytes("max-file-size"),
            section.getBytes("max-total-size")),
        new History(section.getInt("history.commits"), section.getDuration("history.patience")));
  }

  private static Path path(String value) {
    try {
      return Path.of(value);
    } catch (InvalidPathException invalid) {
      throw new IllegalArgumentException(
          "%sdirectory cannot be \"%s\": %s"
              .formatted(SECTION, value.replace('\0', '?'), invalid.getReason()),
          invalid);
    }
  }

  private static void require(String key, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s%s must be %d to %d, was %d".formatted(SECTION, key, least, most, value));
    }
  }

  private static void require(String key, Duration value) {
    if (value.isNegative() || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s%s must be 0s to %s, was %s"
              .formatted(SECTION, key, Durations.exact(LONGEST), Durations.exact(value)));
    }
  }
}
