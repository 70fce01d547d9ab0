package dev.handoff.internal.plan.apply;

import dev.handoff.internal.plan.change.ChangePath;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Path of a file, split into components. Each component is checked to be a plain entry name,
/// independent of earlier checks.
///
/// @param directories components from the root down
record FilePath(List<String> directories, String name) {

  FilePath {
    directories = List.copyOf(directories);
    directories.forEach(FilePath::check);
    check(name);
  }

  private static void check(String part) {
    if (part.isEmpty()
        || part.equals(".")
        || part.equals("..")
        || part.indexOf('/') >= 0
        || part.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("not a name of a file: \"" + part + "\"");
    }
  }

  static FilePath of(String path) {
    var parts = List.of(path.split("/", -1));
    return new FilePath(parts.subList(0, parts.size() - 1), parts.getLast());
  }

  /// Reason why a path cannot be written; empty for a writable path.
  static Optional<String> problem(String path) {
    var problem = ChangePath.problem(path);
    return problem.isPresent() || isNameable(path)
        ? problem
        : Optional.of(
            "path \"" + path + "\" cannot be named on this system: set LC_ALL to C.UTF-8");
  }

  private static boolean isNameable(String path) {
    try {
      return path.equals(Path.of(path).toString());
    } catch (InvalidPathException unmappable) {
      return false;
    }
  }

  /// Paths of all parent directories, top first.
  List<String> above() {
    var all = new ArrayList<String>();
    for (int depth = 1; depth <= directories.size(); depth++) {
      all.add(String.join("/", directories.subList(0, depth)));
    }
    return all;
  }

  String directory() {
    return String.join("/", directories);
  }
}
