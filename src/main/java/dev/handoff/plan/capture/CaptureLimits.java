package dev.handoff.plan.capture;

/// How much a working copy may hold.
///
/// @param files at most so many
/// @param bytes all of them together
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
