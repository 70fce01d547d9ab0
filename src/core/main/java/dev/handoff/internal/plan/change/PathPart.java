package dev.handoff.internal.plan.change;

import dev.handoff.internal.text.SafeText;
import java.text.Normalizer;
import java.util.Optional;
import java.util.regex.Pattern;

/// Validation of one path component: it must be an ordinary name on every operating system.
final class PathPart {

  private static final Pattern DEVICE =
      Pattern.compile(
          "(con|prn|aux|nul|clock\\$|conin\\$|conout\\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])"
              + " *([.:].*)?",
          Pattern.CASE_INSENSITIVE);

  /// Git directory, also by its short name or as an alternate data stream on Windows.
  private static final Pattern GIT =
      Pattern.compile("(\\.git|git~[0-9]) *(:.*)?", Pattern.CASE_INSENSITIVE);

  private static final Pattern DRIVE = Pattern.compile("[A-Za-z]:.*");

  private PathPart() {}

  static Optional<String> problem(String part) {
    return reason(part).map(reason -> "has the part \"" + SafeText.shown(part) + "\", " + reason);
  }

  private static Optional<String> reason(String part) {
    if (part.endsWith(" ") || part.endsWith(".") && !part.equals(".") && !part.equals("..")) {
      return Optional.of("which ends in a dot or a space");
    }
    if (SafeText.bytes(part) > ChangePath.MOST_PART_BYTES) {
      return Optional.of("which is longer than " + ChangePath.MOST_PART_BYTES + " bytes");
    }
    return name(plain(part));
  }

  /// @param part component in Unicode form NFKC, as some programs would normalise it
  private static Optional<String> name(String part) {
    if (part.equals("..")) {
      return Optional.of("which leads upwards");
    }
    if (part.equals(".")) {
      return Optional.of("which leads nowhere");
    }
    if (part.indexOf('/') >= 0 || part.indexOf('\\') >= 0) {
      return Optional.of("which has a look-alike of a separator in it");
    }
    if (DRIVE.matcher(part).matches()) {
      return Optional.of("which is a drive");
    }
    if (GIT.matcher(part).matches()) {
      return Optional.of("which is git's own");
    }
    if (part.regionMatches(true, 0, ChangePath.OURS, 0, ChangePath.OURS.length())) {
      return Optional.of("which is kept for files of our own");
    }
    if (DEVICE.matcher(part).matches()) {
      return Optional.of("which is a device on Windows");
    }
    return Optional.empty();
  }

  private static String plain(String part) {
    return Normalizer.isNormalized(part, Normalizer.Form.NFKC)
        ? part
        : Normalizer.normalize(part, Normalizer.Form.NFKC);
  }
}
