package dev.handoff.plan.capture;

import java.nio.file.Path;

/// A count of the files of a directory, which ends where they are more than a working copy may
/// hold.
final class Tally {

  private final CaptureLimits limits;
  private final Path directory;
  private int files;
  private long bytes;

  Tally(CaptureLimits limits, Path directory) {
    this.limits = limits;
    this.directory = directory;
  }

  /// One more.
  ///
  /// @throws CaptureException if that is one too many, or too much
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
