package dev.handoff.cli;

import java.util.List;
import java.util.Optional;

/// Follow-up commands of a run, ready to type.
///
/// @param file file argument; an empty string for a run without a file; no value for input that can
///   be read only once
/// @param run name of the run; empty for the first run
/// @param store store options with a leading blank; empty for the default store
/// @param work handler options with a leading blank; empty if none are needed
record RunHints(Optional<String> file, String run, String store, String work) {

  /// Continues this run.
  Optional<String> goOn() {
    return command(run.isEmpty() ? "" : NextCommand.option("--run", run));
  }

  /// Runs the file again.
  Optional<String> again() {
    return command(" --again");
  }

  private Optional<String> command(String options) {
    return file.map(name -> "handoff run" + word(name) + options + store + work);
  }

  /// Retries the failed jobs; without ids, all failed jobs of the store.
  String retry(List<String> failed) {
    return "handoff retry "
        + (failed.isEmpty() ? "--status failed" : String.join(" ", failed))
        + store;
  }

  /// Lists all failed jobs of the store.
  String failures() {
    return "handoff list --status failed" + store;
  }

  /// Prefixes a path that looks like an option with `./`.
  private static String word(String file) {
    return file.isEmpty() ? "" : " " + NextCommand.word(file.startsWith("-") ? "./" + file : file);
  }
}
