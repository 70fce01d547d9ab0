package dev.handoff.handlers;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds programs as the system would, but says in plain words what is missing.
final class Programs {

  private static final boolean WINDOWS = File.separatorChar == '\\';

  /// What starts a program in a session of its own, so that Ctrl-C in our terminal does not reach
  /// it: we drain, and it goes on meanwhile. Nothing where there is no such tool.
  static final List<String> DETACHED =
      WINDOWS
          ? List.of()
          : search("setsid", System.getenv().getOrDefault("PATH", ""))
              .map(file -> List.of(file.toString()))
              .orElse(List.of());

  private Programs() {}

  /// The file that a program's name stands for: a path as it is, a bare name by looking through
  /// `PATH`.
  static String find(String name, Path dir, String path) throws HandlerFailedException {
    if (WINDOWS) {
      // It has rules of its own for what may be left out of a name.
      return name;
    }
    try {
      return name.contains("/") ? atPath(name, dir.resolve(name)) : onPath(name, path);
    } catch (InvalidPathException notOne) {
      throw new HandlerFailedException("\"%s\" cannot be the name of a program".formatted(name));
    }
  }

  private static String atPath(String name, Path file) throws HandlerFailedException {
    if (!Files.exists(file)) {
      throw new HandlerFailedException("\"%s\" does not exist".formatted(name));
    }
    if (!runs(file)) {
      throw new HandlerFailedException(
          "\"%s\" is not a program: it is a directory, or may not be executed".formatted(name));
    }
    return file.toAbsolutePath().toString();
  }

  private static String onPath(String name, String path) throws HandlerFailedException {
    return search(name, path)
        .map(Path::toString)
        .orElseThrow(
            () ->
                new HandlerFailedException(
                    "\"%s\" was not found in PATH: install it, or write its whole path"
                        .formatted(name)));
  }

  private static Optional<Path> search(String name, String path) {
    return Arrays.stream(path.split(File.pathSeparator))
        .flatMap(Programs::folder)
        .map(folder -> folder.resolve(name))
        .filter(Programs::runs)
        .map(Path::toAbsolutePath)
        .findFirst();
  }

  /// What cannot be a folder here, because the locale has no such letters, holds nothing.
  private static Stream<Path> folder(String name) {
    try {
      return name.isEmpty() ? Stream.empty() : Stream.of(Path.of(name));
    } catch (InvalidPathException unreadable) {
      return Stream.empty();
    }
  }

  private static boolean runs(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
