package dev.handoff.internal.context.strategy;

import dev.handoff.context.WorkspaceView;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// Resolves file and type names in a query to files.
record NamedFiles(WorkspaceView files) {

  /// A name that matches more files is ambiguous and ignored.
  private static final int MOST = 3;

  private static final int CANDIDATES = 5;

  /// Files for all names in a query.
  SortedSet<String> of(RequestWords question) {
    var named = new TreeSet<String>();
    for (String name : question.names()) {
      var found = byPath(name);
      if (found.size() <= MOST) {
        named.addAll(found.isEmpty() ? byDefinition(name) : found);
      }
    }
    return named;
  }

  /// Files by path, path suffix, or file name with or without extension.
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

  /// Whether the name's last part is the file name, not a directory name.
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
