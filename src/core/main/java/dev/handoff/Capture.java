package dev.handoff;

import dev.handoff.internal.plan.capture.CaptureLimits;
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

  private final CaptureLimits limits;
  private final @Nullable Path directory;
  private final boolean keep;

  private Capture(@Nullable Path directory, boolean keep, CaptureLimits limits) {
    this.directory = directory;
    this.keep = keep;
    this.limits = limits;
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
    return new Capture(Objects.requireNonNull(directory, "directory"), false, CaptureLimits.USUAL);
  }

  /// Working copy that starts empty, with the changes of earlier steps applied.
  public static Capture fromNothing() {
    return new Capture(null, false, CaptureLimits.USUAL);
  }

  /// Preserves the copy after the attempt; the job's log names its path.
  public Capture keeping() {
    return new Capture(directory, true, limits);
  }

  /// Sets the size limits of the copy; the defaults are 50,000 files and 2 GiB.
  ///
  /// @throws IllegalArgumentException if a limit is not positive
  public Capture atMost(int files, long bytes) {
    return new Capture(directory, keep, new CaptureLimits(files, bytes));
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

  CaptureLimits limits() {
    return limits;
  }
}
