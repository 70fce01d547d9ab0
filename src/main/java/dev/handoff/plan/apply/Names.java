package dev.handoff.plan.apply;

import dev.handoff.plan.change.ChangePath;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The names that an apply gives to what it keeps in a directory while it is under way. The sign
/// `~` is in no name of an apply, so that no two of them have one in common.
record Names(String apply) {

  private static final String PREFIX = ChangePath.OURS;

  private static final Pattern LEFT =
      Pattern.compile(Pattern.quote(PREFIX) + "([^~]+)(~(new|done|undone))?");

  /// The file that says what is to be done, before it is certain.
  static final String JOURNAL = "journal";

  /// Its name once it is certain.
  static final String COMMIT = "commit";

  /// Its name once all of it is to be taken back.
  static final String UNDO = "undo";

  /// Says that the directory itself is new.
  static final String NEW_ROOT = "root";

  /// Held by whoever is at work on the apply.
  static final String LOCK = "lock";

  /// The applies that have left something in a directory which is to be recovered.
  ///
  /// @param entries of the directory
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

  /// The staging directory once everything is in place.
  String done() {
    return staging() + "~done";
  }

  /// The staging directory once nothing is in place.
  String undone() {
    return staging() + "~undone";
  }

  /// The staging directory if there is something in it that has no other place any more.
  String kept() {
    return staging() + "~kept";
  }

  /// A directory that has been made and is about to be moved.
  String spare() {
    return staging() + "~new";
  }

  /// Beside the directory: itself, while it is new and not to be seen yet.
  String root() {
    return staging() + "~root";
  }

  /// What the staging directory is called, the last of its phases first.
  List<String> phases() {
    return List.of(undone(), done(), staging());
  }

  /// All that is ever in the directory, but for what was kept.
  List<String> inside() {
    return List.of(staging(), done(), undone(), spare());
  }

  static String content(int edit) {
    return "n" + edit;
  }

  static String original(int edit) {
    return "o" + edit;
  }

  /// What was in the place of a new content, until it is known to be that.
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
