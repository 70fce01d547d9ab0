package dev.handoff.internal.plan.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/// Creates and compares directory trees.
final class DirectoryTrees {

  private DirectoryTrees() {}

  /// All entries with permissions, and with content or link target.
  static Map<String, String> of(Path root) {
    var entries = new TreeMap<String, String>();
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return entries;
    }
    try (var all = Files.walk(root)) {
      for (var path : all.toList()) {
        entries.put(root.relativize(path).toString(), shown(path));
      }
      return entries;
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  private static String shown(Path path) throws IOException {
    if (Files.isSymbolicLink(path)) {
      return "-> " + Files.readSymbolicLink(path);
    }
    var permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    return Files.isDirectory(path)
        ? permissions + " directory"
        : permissions + " " + Files.readString(path, java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  /// @param files contents by path; a path that ends with `/` is an empty directory
  static void make(Path root, Map<String, String> files) {
    try {
      Files.createDirectories(root);
      for (var file : files.entrySet()) {
        var path = root.resolve(file.getKey());
        if (file.getKey().endsWith("/")) {
          Files.createDirectories(path);
        } else {
          Files.createDirectories(path.getParent());
          Files.writeString(path, file.getValue());
        }
      }
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  static void delete(Path root) {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (var all = Files.walk(root)) {
      for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }
}
