package dev.handoff;

import java.util.regex.Pattern;

/// Which words of YAML without quotes are text for one reader, and a number or a truth for another:
/// YAML 1.1 and 1.2 do not agree about them. Asked with positions that only grow.
final class StrictScalars {

  private static final Pattern TRUTHS =
      Pattern.compile("y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF|True|TRUE|False|FALSE");

  /// Octal, hexadecimal and binary ones, such with underscores, leading zeros or bare points, and
  /// those of base 60.
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

  /// Whether a value that was read as text is not text for everybody.
  ///
  /// @param point where it begins in the text, in code points
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
