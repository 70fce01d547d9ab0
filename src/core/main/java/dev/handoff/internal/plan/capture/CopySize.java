package dev.handoff.internal.plan.capture;

import dev.handoff.plan.CaptureException;
import java.nio.file.Path;

/// Counter of files and bytes that enforces the limits of a working copy.
final class CopySize {

  private final CaptureLimits limits;
  private final Path directory;
  private int files;
  private long bytes;

  CopySize(CaptureLimits limits, Path directory) {
    this.limits = limits;
    this.directory = directory;
  }

  /// Counts one file.
  ///
  /// @throws CaptureException if a limit is exceeded
  void add(long size) {
    files++;
    bytes += size;
    if (files > limits.files() || bytes > limits.bytes()) {
      throw new CaptureException(
          ("more than %d files or %d bytes are in %s: name a smaller directory, have git ignore"
                  + " what is made by tools, or allow for more")
              .formatted(limits.files(), limits.bytes(), directory));
    }
  }
}
