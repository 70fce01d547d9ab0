package dev.handoff.internal.plan.change;

import dev.handoff.internal.text.SafeText;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Validation of paths in changes. A valid path names one file inside the root, on every operating
/// system and for every program that decodes or normalises it.
public final class ChangePath {

  /// Prefix of the engine's own files in a target; forbidden in changes.
  public static final String OURS = ".handoff-";

  public static final int MOST_BYTES = 4_096;
  public static final int MOST_PART_BYTES = 255;

  private static final String RULE =
      "a path is relative to the root, with / between plain names, as in docs/index.html";

  /// Percent-encoded dot, separator or NUL, also if encoded more than once.
  private static final Pattern ENCODED =
      Pattern.compile("%(25)*(2e|2f|5c|00|c0%(25)*a[ef])", Pattern.CASE_INSENSITIVE);

  private ChangePath() {}

  /// Problem of a path, with the path and the rule; empty if it is valid.
  public static Optional<String> problem(String path) {
    return reason(path)
        .map(reason -> "path \"" + SafeText.shown(path) + "\" " + reason + "; " + RULE);
  }

  /// Returns a valid path unchanged.
  ///
  /// @throws IllegalArgumentException with the problem, if the path is invalid
  public static String check(String path) {
    problem(path)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(problem);
            });
    return path;
  }

  /// Collisions among paths, in order: paths that differ only in case or Unicode form, and files
  /// whose path is a directory of another file.
  ///
  /// @param files paths of files that exist together
  public static List<PathCollision> collisions(Collection<String> files) {
    return PathCollision.among(files);
  }

  private static Optional<String> reason(String path) {
    if (path.isEmpty()) {
      return Optional.of("is empty");
    }
    if (path.length() > MOST_BYTES || SafeText.bytes(path) > MOST_BYTES) {
      return Optional.of("is longer than " + MOST_BYTES + " bytes");
    }
    return character(path).or(() -> shape(path)).or(() -> parts(path));
  }

  private static Optional<String> parts(String path) {
    for (var part : path.split("/")) {
      var problem = PathPart.problem(part);
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> character(String path) {
    if (!SafeText.isClean(path)) {
      return Optional.of("has a NUL or half of a character in it");
    }
    for (int at = 0; at < path.length(); at = path.offsetByCodePoints(at, 1)) {
      int c = path.codePointAt(at);
      if (isUnseen(c)) {
        return Optional.of("has the control or invisible character \\u%04x in it".formatted(c));
      }
    }
    return Optional.empty();
  }

  private static boolean isUnseen(int c) {
    int type = Character.getType(c);
    return type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }

  private static Optional<String> shape(String path) {
    if (path.startsWith("/")) {
      return Optional.of("is absolute");
    }
    if (path.indexOf('\\') >= 0) {
      return Optional.of("has a backslash in it");
    }
    if (path.endsWith("/") || path.contains("//")) {
      return Optional.of("has an empty part");
    }
    if (path.indexOf('%') >= 0 && ENCODED.matcher(path).find()) {
      return Optional.of("has an encoded dot, separator or NUL in it");
    }
    return Optional.empty();
  }
}
