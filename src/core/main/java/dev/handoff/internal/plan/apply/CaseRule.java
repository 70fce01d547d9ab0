package dev.handoff.internal.plan.apply;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Detection of names that are equal only on a case-insensitive file system. A directory is probed
/// until it proves case-sensitive.
final class CaseRule {

  private final Set<String> exact = new HashSet<>();
  private final Map<String, Set<String>> names = new HashMap<>();

  /// @param path path of the directory
  /// @param name name of an existing entry
  /// @return whether the entry is stored under another spelling
  boolean isSpelledOtherwise(String path, FileOperations.Dir directory, String name)
      throws IOException {
    var other = swapped(name);
    if (exact.contains(path) || other.equals(name)) {
      return false;
    }
    if (directory.look(other) == null) {
      exact.add(path);
      return false;
    }
    if (!names.containsKey(path)) {
      names.put(path, Set.copyOf(directory.names()));
    }
    return !names.get(path).contains(name);
  }

  private static String swapped(String name) {
    var swapped = new StringBuilder();
    name.codePoints()
        .map(c -> Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.toUpperCase(c))
        .forEach(swapped::appendCodePoint);
    return swapped.toString();
  }
}
