package dev.handoff.handlers;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Search for programs in `PATH`, with plain messages for missing ones.
final class ProgramFinder {

  private static final boolean WINDOWS = File.separatorChar == '\\';

  /// Command prefix that starts a program in its own session, so that Ctrl-C in our terminal does
  /// not reach the program while the engine drains. Empty where the tool is missing.
  static final List<String> DETACHED =
      WINDOWS
          ? List.of()
          : search("setsid", System.getenv().getOrDefault("PATH", ""))
              .map(file -> List.of(file.toString()))
              .orElse(List.of());

  private ProgramFinder() {}

  /// Executable file of a program name: a path as it is, a bare name by search in `PATH`.
  static String find(String name, Path dir, String path) throws HandlerFailedException {
    if (WINDOWS) {
      // Windows has its own rules for omitted file extensions.
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
        .flatMap(ProgramFinder::folder)
        .map(folder -> folder.resolve(name))
        .filter(ProgramFinder::runs)
        .map(Path::toAbsolutePath)
        .findFirst();
  }

  /// Folder of a `PATH` entry; empty for an entry that the locale cannot encode.
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
