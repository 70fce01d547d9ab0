package dev.handoff.internal.job;

import dev.handoff.internal.text.SafeText;

/// Progress that an attempt reports.
///
/// @param fraction 0 to 1
public record Progress(double fraction, String message) {

  public Progress {
    fraction = Double.isNaN(fraction) ? 0 : Math.clamp(fraction, 0, 1);
    message = SafeText.clean(message, 1024);
  }
}
