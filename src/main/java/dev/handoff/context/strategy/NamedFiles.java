package dev.handoff.context.strategy;

import dev.handoff.context.workspace.WorkspaceView;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// Finds the files that a request calls by their names.
record NamedFiles(WorkspaceView files) {

  /// A name that more files have is no name.
  private static final int MOST = 3;

  private static final int CANDIDATES = 5;

  /// Those of all names in a request.
  SortedSet<String> of(Question question) {
    var named = new TreeSet<String>();
    for (String name : question.names()) {
      var found = byPath(name);
      if (found.size() <= MOST) {
        named.addAll(found.isEmpty() ? byDefinition(name) : found);
      }
    }
    return named;
  }

  /// A path, its end, or the name of a file with or without its ending.
  private List<String> byPath(String name) {
    if (files.paths().contains(name)) {
      return List.of(name);
    }
    var end = "/" + name;
    return files.paths().stream()
        .filter(path -> ("/" + path).endsWith(end) || ("/" + path).contains(end + "."))
        .filter(path -> isWhole(path, name))
        .limit(MOST + 1L)
        .toList();
  }

  /// Whether the last part of the name is the name of the file, and not of a directory.
  private static boolean isWhole(String path, String name) {
    var file = path.substring(path.lastIndexOf('/') + 1);
    var last = name.substring(name.lastIndexOf('/') + 1);
    int dot = file.lastIndexOf('.');
    return file.equals(last) || dot > 0 && file.substring(0, dot).equals(last);
  }

  private List<String> byDefinition(String name) {
    return files.search(name, CANDIDATES).stream()
        .map(WorkspaceView.Hit::path)
        .filter(
            path ->
                files
                    .file(path)
                    .filter(file -> file.outline().defines().contains(name))
                    .isPresent())
        .limit(MOST)
        .toList();
  }
}
