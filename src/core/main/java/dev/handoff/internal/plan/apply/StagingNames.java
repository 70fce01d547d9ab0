package dev.handoff.internal.plan.apply;

import dev.handoff.internal.plan.change.ChangePath;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// File names of an apply under way, inside its target. Names of applies cannot contain `~`, so two
/// applies never share a file name.
record StagingNames(String apply) {

  private static final String PREFIX = ChangePath.OURS;

  private static final Pattern LEFT =
      Pattern.compile(Pattern.quote(PREFIX) + "([^~]+)(~(new|done|undone))?");

  /// Journal file before the commit point.
  static final String JOURNAL = "journal";

  /// Journal file after the commit point.
  static final String COMMIT = "commit";

  /// Journal file during an undo.
  static final String UNDO = "undo";

  /// Marker file: the apply created the target directory.
  static final String NEW_ROOT = "root";

  /// Lock file of the process that works on the apply.
  static final String LOCK = "lock";

  /// Names of applies that left files to recover.
  ///
  /// @param entries entries of the directory
  static Stream<String> left(Collection<String> entries) {
    return entries.stream()
        .map(LEFT::matcher)
        .filter(Matcher::matches)
        .map(name -> name.group(1))
        .distinct()
        .sorted();
  }

  String staging() {
    return PREFIX + apply;
  }

  /// Staging directory of a complete apply.
  String done() {
    return staging() + "~done";
  }

  /// Staging directory of an undone apply.
  String undone() {
    return staging() + "~undone";
  }

  /// Staging directory with originals that lost their places.
  String kept() {
    return staging() + "~kept";
  }

  /// Spare directory: made, and not yet moved to its place.
  String spare() {
    return staging() + "~new";
  }

  /// New target directory under its temporary name, beside its place.
  String root() {
    return staging() + "~root";
  }

  /// Names of the staging directory, last phase first.
  List<String> phases() {
    return List.of(undone(), done(), staging());
  }

  /// All names an apply uses inside the directory, except [#kept].
  List<String> inside() {
    return List.of(staging(), done(), undone(), spare());
  }

  static String content(int edit) {
    return "n" + edit;
  }

  static String original(int edit) {
    return "o" + edit;
  }

  /// Slot of a file removed in place of a new content, until its content is verified.
  static String taken(int edit) {
    return "t" + edit;
  }

  static String made(int directory) {
    return "d" + directory;
  }

  static String emptied(int directory) {
    return "e" + directory;
  }
}
