package dev.handoff.chaos;

import dev.handoff.internal.plan.change.ChainHash;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Target directory of a plan's applies in a chaos run.
///
/// @param place parent directory, without other content
record ApplySite(Path place) {

  static final String SHARED = "shared.txt";
  static final String CLEAN = "clean.txt";
  static final String TEXT = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

  private static final String ROOT = "site";

  Path root() {
    return place.resolve(ROOT);
  }

  /// File that a step with edits modifies.
  static String page(String step) {
    return "pages/page-" + step + ".txt";
  }

  /// File that a step with edits deletes.
  static String old(String step) {
    return "old/old-" + step + ".txt";
  }

  /// Initial files of a site, by path. A file's content is its path, except for the texts that two
  /// steps change.
  static Map<String, String> before(ChaosPlans story, Collection<String> steps) {
    var files = new TreeMap<String, String>();
    if (story != ChaosPlans.FRESH) {
      for (var step : steps) {
        files.put(page(step), page(step));
        files.put(old(step), old(step));
      }
      files.put(SHARED, TEXT);
      files.put(CLEAN, TEXT);
      files.put("same.txt", "same");
    }
    return files;
  }

  /// Creates the initial files, and deletes all other content.
  void make(Map<String, String> files) {
    try {
      if (Files.exists(place)) {
        try (var all = Files.walk(place)) {
          for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(path);
          }
        }
      }
      Files.createDirectories(place);
      for (var file : files.entrySet()) {
        var path = root().resolve(file.getKey());
        Files.createDirectories(path.getParent());
        Files.writeString(path, file.getValue());
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /// All files in and beside the target directory, and all empty directories.
  String look() {
    var found = new TreeMap<String, String>();
    try (var all = Files.walk(place)) {
      for (var path : all.filter(path -> !path.equals(place)).toList()) {
        var name = place.relativize(path).toString();
        if (!Files.isDirectory(path)) {
          found.put(name, ChainHash.of(Files.readAllBytes(path)));
        } else if (isEmpty(path)) {
          found.put(name + "/", "");
        }
      }
      return shown(found);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    }
  }

  /// Expected result of [#look()].
  ///
  /// @param files SHA-256 by path
  static String look(Map<String, String> files) {
    var all = new TreeMap<String, String>();
    files.forEach((path, sha256) -> all.put(ROOT + "/" + path, sha256));
    return shown(all);
  }

  private static String shown(Map<String, String> files) {
    return files.isEmpty()
        ? "nothing"
        : files.entrySet().stream()
            .map(file -> file.getKey() + "=" + file.getValue().substring(0, shownOf(file)))
            .collect(Collectors.joining(","));
  }

  private static int shownOf(Map.Entry<String, String> file) {
    return Math.min(8, file.getValue().length());
  }

  static String sha256(String content) {
    return ChainHash.of(content.getBytes(StandardCharsets.UTF_8));
  }
}
