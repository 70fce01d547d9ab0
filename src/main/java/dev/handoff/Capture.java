package dev.handoff;

import dev.handoff.plan.capture.CaptureLimits;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Which working copy a step wants: a directory of its own, in which whatever it changes becomes
/// its attempt's changeset. Immutable.
///
/// A directory in a git repository is copied as a work tree, with what has been changed since the
/// last commit and the files of submodules, and without what git ignores; any other one file by
/// file. Links are not copied, and not followed.
public final class Capture {

  private final CaptureLimits limits;
  private final @Nullable Path directory;
  private final boolean keep;

  private Capture(@Nullable Path directory, boolean keep, CaptureLimits limits) {
    this.directory = directory;
    this.keep = keep;
    this.limits = limits;
  }

  /// What a handler does in its working copy.
  ///
  /// @param <T> what the payload is read as
  @FunctionalInterface
  public interface Work<T> {
    @Nullable Object run(T payload, JobContext job, Path directory) throws Exception;
  }

  /// A copy of a directory.
  public static Capture of(Path directory) {
    return new Capture(Objects.requireNonNull(directory, "directory"), false, CaptureLimits.USUAL);
  }

  /// An empty directory, with what the steps before have made.
  public static Capture fromNothing() {
    return new Capture(null, false, CaptureLimits.USUAL);
  }

  /// The copy is not removed when the attempt ends; the job's log says where it is.
  public Capture keeping() {
    return new Capture(directory, true, limits);
  }

  /// 50,000 files and 2 GiB, unless others are named.
  ///
  /// @throws IllegalArgumentException if one of them is not positive
  public Capture atMost(int files, long bytes) {
    return new Capture(directory, keep, new CaptureLimits(files, bytes));
  }

  /// A handler that works in a copy of its own; what it has changed when it returns is recorded.
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

  /// Empty = from nothing.
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
