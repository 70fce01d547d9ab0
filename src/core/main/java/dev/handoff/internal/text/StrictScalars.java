package dev.handoff.internal.text;

import java.util.regex.Pattern;

/// Detector of ambiguous YAML scalars: unquoted words that are text in YAML 1.1 and a number or
/// boolean in YAML 1.2, or the reverse. Rising positions keep the detection linear.
final class StrictScalars {

  private static final Pattern TRUTHS =
      Pattern.compile("y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF|True|TRUE|False|FALSE");

  /// Numbers in octal, hexadecimal, binary and base 60, with underscores, leading zeros or bare
  /// points.
  private static final Pattern NUMBERS =
      Pattern.compile(
          "[-+]?(0[xob]?[0-9a-fA-F_]+|[0-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?"
              + "|(\\.[0-9][0-9_]*|[0-9][0-9_]*(\\.[0-9_]*)?)([eE][-+]?[0-9]+)?|\\.(inf|Inf|INF))"
              + "|\\.(nan|NaN|NAN)");

  private static final Pattern QUOTED = Pattern.compile("(&\\S+\\s+)?[\"'|>]");
  private static final int LONGEST = 64;

  private final String text;
  private int points;
  private int at;

  StrictScalars(String text) {
    this.text = text;
  }

  /// Whether some YAML readers would not read this value as text.
  ///
  /// @param point position of the value in the text, in code points
  boolean isAmbiguous(String value, long point) {
    return value.length() <= LONGEST
        && (TRUTHS.matcher(value).matches() || NUMBERS.matcher(value).matches())
        && !isQuoted((int) point);
  }

  private boolean isQuoted(int point) {
    if (point < points) {
      points = 0;
      at = 0;
    }
    at = text.offsetByCodePoints(at, Math.min(point, points + text.length() - at) - points);
    points = point;
    return QUOTED.matcher(text).region(at, text.length()).lookingAt();
  }
}
