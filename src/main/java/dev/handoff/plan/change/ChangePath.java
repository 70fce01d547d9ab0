package dev.handoff.plan.change;

import dev.handoff.job.Text;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The rule for paths in changes. What it lets through is the path of one file inside the root, on
/// every system and whoever takes it apart: nobody reads a part of it as anything but a name.
public final class ChangePath {

  /// What names of our own beside the files of a target begin with; no change may have one.
  public static final String OURS = ".handoff-";

  public static final int MOST_BYTES = 4_096;
  public static final int MOST_PART_BYTES = 255;

  private static final String RULE =
      "a path is relative to the root, with / between plain names, as in docs/index.html";

  /// What some program would decode to a dot, a separator or NUL, also after having decoded it once
  /// before.
  private static final Pattern ENCODED =
      Pattern.compile("%(25)*(2e|2f|5c|00|c0%(25)*a[ef])", Pattern.CASE_INSENSITIVE);

  private ChangePath() {}

  /// Why a path is refused, with the path and the rule; empty if it is fine.
  public static Optional<String> problem(String path) {
    return reason(path).map(reason -> "path \"" + Text.shown(path) + "\" " + reason + "; " + RULE);
  }

  /// The path itself.
  ///
  /// @throws IllegalArgumentException if it is refused; says why
  public static String check(String path) {
    problem(path)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(problem);
            });
    return path;
  }

  /// The paths that cannot stand beside each other in one directory on every system, in order:
  /// those that differ in case or in the form of their characters alone, and those of a file that
  /// is a directory in another.
  ///
  /// @param files the paths of files that are all to be there
  public static List<Collision> collisions(Collection<String> files) {
    return Collision.among(files);
  }

  private static Optional<String> reason(String path) {
    if (path.isEmpty()) {
      return Optional.of("is empty");
    }
    if (path.length() > MOST_BYTES || Text.bytes(path) > MOST_BYTES) {
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
    if (!Text.isClean(path)) {
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
