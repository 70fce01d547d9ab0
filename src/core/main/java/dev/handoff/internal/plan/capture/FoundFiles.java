package dev.handoff.internal.plan.capture;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Lookup of existing files by the names that git prints. Files behind links are not found.
final class FoundFiles {

  private static final char NOT_UTF8 = '\uFFFD';

  private final Path directory;
  private final @Nullable Path excluded;

  /// Cache: whether a path is a directory and not behind a link.
  private final Map<Path, Boolean> directories = new HashMap<>();

  /// @param excluded directory inside that is skipped; null = none
  FoundFiles(Path directory, @Nullable Path excluded) {
    this.directory = directory;
    this.excluded = excluded;
    directories.put(directory, true);
  }

  /// Existing files among the names.
  List<Path> files(Collection<String> names) throws IOException {
    var files = new ArrayList<Path>();
    for (var name : names) {
      var file = directory.resolve(name);
      if (!isDirectory(file.getParent())) {
        continue;
      }
      if (name.indexOf(NOT_UTF8) >= 0) {
        files.addAll(shownAs(file));
      } else if (isFile(file)) {
        files.add(file);
      }
    }
    return files;
  }

  /// Names without a file. Names that are not UTF-8 are skipped, because their absence is
  /// undecidable.
  List<String> missing(Collection<String> names) {
    return names.stream()
        .filter(name -> name.indexOf(NOT_UTF8) < 0 && !isThere(directory.resolve(name)))
        .toList();
  }

  private boolean isThere(Path file) {
    return isDirectory(file.getParent()) && isFile(file);
  }

  boolean isDirectory(String name) {
    return isDirectory(directory.resolve(name));
  }

  private boolean isDirectory(Path path) {
    var known = directories.get(path);
    if (known != null) {
      return known;
    }
    boolean isOne =
        !path.equals(excluded)
            && isDirectory(path.getParent())
            && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    directories.put(path, isOne);
    return isOne;
  }

  private static boolean isFile(Path file) {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  /// Finds a file whose name is not UTF-8: Java cannot open it by name, but can list it.
  private static List<Path> shownAs(Path name) throws IOException {
    var files = new ArrayList<Path>();
    var wanted = name.toString();
    try (var all = Files.newDirectoryStream(name.getParent(), FoundFiles::isFile)) {
      all.forEach(
          file -> {
            if (file.toString().equals(wanted)) {
              files.add(file);
            }
          });
    } catch (DirectoryIteratorException failed) {
      throw failed.getCause();
    }
    return files;
  }
}
