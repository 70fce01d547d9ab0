package dev.handoff.context.workspace;

import com.typesafe.config.Config;
import dev.handoff.actor.DurationWords;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// What of a directory is indexed, where, and how.
///
/// @param directory where indexes are kept; empty = beside the store, or in memory
/// @param refreshAfter how old what is known of a directory may be
/// @param open how many directories are kept open
/// @param threads how many of them index one directory
public record WorkspaceSettings(
    Optional<Path> directory,
    Duration refreshAfter,
    int open,
    int threads,
    Limits limits,
    History history) {

  private static final String SECTION = "handoff.context.workspace.";
  private static final Duration LONGEST = Duration.ofDays(1);

  /// What is too much to be indexed.
  ///
  /// @param files how many files and directories are looked at
  /// @param fileSize the largest file, in bytes
  /// @param totalSize of all files together, in bytes
  public record Limits(int files, long fileSize, long totalSize) {
    public Limits {
      require("max-files", files, 1, 10_000_000);
      require("max-file-size", fileSize, 1, 64 << 20);
      require("max-total-size", totalSize, 1, 1L << 40);
    }
  }

  /// How much of a git repository's history is read.
  ///
  /// @param commits the most
  /// @param patience how long at most
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

  /// @param handoff the section `handoff`
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
              .formatted(SECTION, key, DurationWords.exact(LONGEST), DurationWords.exact(value)));
    }
  }
}
