package dev.handoff.cli;

import java.util.List;
import java.util.Optional;

/// Commands that a run names as its next step, as they can be typed.
///
/// @param file as it was named, an empty name for no file; empty for input that cannot be read a
///   second time
/// @param run the name of the run; empty for the first one
/// @param store the options of the store, with a blank before them; empty for the usual one
/// @param work the options of what may run, with a blank before them; empty if it needs none
record RunHints(Optional<String> file, String run, String store, String work) {

  /// Goes on with the same run.
  Optional<String> goOn() {
    return command(run.isEmpty() ? "" : Again.option("--run", run));
  }

  /// Runs the file once more.
  Optional<String> again() {
    return command(" --again");
  }

  private Optional<String> command(String options) {
    return file.map(name -> "handoff run" + word(name) + options + store + work);
  }

  /// Opens these failed jobs again, or all of the store where they are too many to be named.
  String retry(List<String> failed) {
    return "handoff retry "
        + (failed.isEmpty() ? "--status failed" : String.join(" ", failed))
        + store;
  }

  /// All jobs of the store that have failed.
  String failures() {
    return "handoff list --status failed" + store;
  }

  /// A path that begins like an option is named from its directory.
  private static String word(String file) {
    return file.isEmpty() ? "" : " " + Again.word(file.startsWith("-") ? "./" + file : file);
  }
}
