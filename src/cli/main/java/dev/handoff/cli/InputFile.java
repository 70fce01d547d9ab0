package dev.handoff.cli;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// Input file of a command, from its argument.
final class InputFile {

  private InputFile() {}

  /// @throws CommandFailedException if the file does not exist
  static Path of(String name) {
    if (name.isBlank()) {
      throw new CommandFailedException(ExitCode.USAGE, "the name of the file is empty");
    }
    try {
      var file = Path.of(name);
      if (!Files.exists(file)) {
        throw new CommandFailedException(ExitCode.NOT_FOUND, name + " does not exist");
      }
      if (Files.isDirectory(file)) {
        throw new CommandFailedException(
            ExitCode.USAGE, name + " is a directory: name a file in it");
      }
      return file;
    } catch (InvalidPathException notOne) {
      throw new CommandFailedException(ExitCode.USAGE, "FILE: " + notOne.getMessage());
    }
  }
}
