package dev.handoff.job;

/// How far an attempt says it is.
///
/// @param fraction 0 to 1
public record Progress(double fraction, String message) {

  public Progress {
    fraction = Double.isNaN(fraction) ? 0 : Math.clamp(fraction, 0, 1);
    message = Text.clean(message, 1024);
  }
}
