package dev.handoff.internal.plan.capture;

import dev.handoff.plan.Capture;

/// Size limits of a working copy.
///
/// @param files most files
/// @param bytes most bytes in total
public record CaptureLimits(int files, long bytes) {

  public static final CaptureLimits USUAL =
      new CaptureLimits(Capture.DEFAULT_MOST_FILES, Capture.DEFAULT_MOST_BYTES);
}
