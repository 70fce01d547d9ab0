package dev.handoff.plan.capture;

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

/// Finds files of a directory by the names that git has for them: those that are there, and are not
/// behind a link.
final class FoundFiles {

  private static final char NOT_UTF8 = '\uFFFD';

  private final Path directory;
  private final @Nullable Path excluded;

  /// Whether they are directories, and not behind a link.
  private final Map<Path, Boolean> directories = new HashMap<>();

  /// @param excluded a directory within it in which nothing is found; null = none
  FoundFiles(Path directory, @Nullable Path excluded) {
    this.directory = directory;
    this.excluded = excluded;
    directories.put(directory, true);
  }

  /// Those that are there.
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

  /// Those that are not there, and of which that can be told.
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

  /// A name that is not UTF-8 cannot be given, but it can be found.
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
