package dev.handoff.internal.plan.capture;

/// Size limits of a working copy.
///
/// @param files most files
/// @param bytes most bytes in total
public record CaptureLimits(int files, long bytes) {

  public static final CaptureLimits USUAL = new CaptureLimits(50_000, 2L << 30);

  public CaptureLimits {
    if (files < 1 || bytes < 1) {
      throw new IllegalArgumentException(
          "a working copy must have room for a file and a byte, had %d files and %d bytes"
              .formatted(files, bytes));
    }
  }
}
