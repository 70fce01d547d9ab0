package dev.handoff.cli;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// A file that a command is to read, as it was named in the call.
final class InputFile {

  private InputFile() {}

  /// @throws CommandFailedException if there is none of that name
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
