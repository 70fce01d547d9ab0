package dev.handoff.plan.apply;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Finds names that are the same to a file system, and not to us. Asks each directory whether it
/// tells cases apart, until it has shown that it does.
final class CaseRule {

  private final Set<String> exact = new HashSet<>();
  private final Map<String, Set<String>> names = new HashMap<>();

  /// @param path of the directory
  /// @param name one that there is in it
  /// @return whether what is there is spelled otherwise
  boolean isSpelledOtherwise(String path, Disk.Dir directory, String name) throws IOException {
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
