package dev.handoff.plan;

import dev.handoff.JobContext;
import dev.handoff.JobHandler;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Options for the working copy of a step: a private directory whose differences become the
/// attempt's changeset. Immutable.
///
/// A directory in a git repository is copied as a work tree: with uncommitted changes and the files
/// of submodules, without ignored files. Any other directory is copied file by file. Links are
/// neither copied nor followed.
public final class Capture {

  /// Size limit of a copy: number of files.
  public static final int DEFAULT_MOST_FILES = 50_000;

  /// Size limit of a copy: total size of its files.
  public static final long DEFAULT_MOST_BYTES = 2L << 30;

  private final @Nullable Path directory;
  private final boolean keep;
  private final int mostFiles;
  private final long mostBytes;

  private Capture(@Nullable Path directory, boolean keep, int mostFiles, long mostBytes) {
    if (mostFiles < 1 || mostBytes < 1) {
      throw new IllegalArgumentException(
          "a working copy must have room for a file and a byte, had %d files and %d bytes"
              .formatted(mostFiles, mostBytes));
    }
    this.directory = directory;
    this.keep = keep;
    this.mostFiles = mostFiles;
    this.mostBytes = mostBytes;
  }

  /// Work of a handler inside its working copy.
  ///
  /// @param <T> class of the payload
  @FunctionalInterface
  public interface Work<T> {
    @Nullable Object run(T payload, JobContext job, Path directory) throws Exception;
  }

  /// Working copy of a directory.
  public static Capture of(Path directory) {
    Objects.requireNonNull(directory, "directory");
    return new Capture(directory, false, DEFAULT_MOST_FILES, DEFAULT_MOST_BYTES);
  }

  /// Working copy that starts empty, with the changes of earlier steps applied.
  public static Capture fromNothing() {
    return new Capture(null, false, DEFAULT_MOST_FILES, DEFAULT_MOST_BYTES);
  }

  /// Preserves the copy after the attempt; the job's log names its path.
  public Capture keeping() {
    return new Capture(directory, true, mostFiles, mostBytes);
  }

  /// Sets the size limits of the copy; the defaults are 50,000 files and 2 GiB.
  ///
  /// @throws IllegalArgumentException if a limit is not positive
  public Capture atMost(int files, long bytes) {
    return new Capture(directory, keep, files, bytes);
  }

  /// Handler that runs in its own working copy and records the differences after its return.
  public <T> JobHandler<T> handler(Work<T> work) {
    Objects.requireNonNull(work, "work");
    return (payload, job) -> {
      try (var copy = job.workingCopy(this)) {
        var result = work.run(payload, job, copy.path());
        copy.record();
        return result;
      }
    };
  }

  /// Source directory; empty = the copy starts empty.
  public Optional<Path> directory() {
    return Optional.ofNullable(directory);
  }

  public boolean isKept() {
    return keep;
  }

  /// Largest number of files in the copy.
  public int mostFiles() {
    return mostFiles;
  }

  /// Largest total size of the files in the copy.
  public long mostBytes() {
    return mostBytes;
  }
}
