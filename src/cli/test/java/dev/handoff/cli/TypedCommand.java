package dev.handoff.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// Runs the next command that the program's output suggests, exactly as printed.
final class TypedCommand {

  private TypedCommand() {}

  /// Arguments of the suggested command as a shell splits it; the command follows the given text.
  static String[] words(CliHarness.Ran ran, String before) {
    var line =
        Pattern.compile(Pattern.quote(before) + "handoff (.*)").matcher(ran.out() + ran.err());
    if (!line.find()) {
      throw new AssertionError("\"%s\" is not in %s".formatted(before, ran));
    }
    return split(line.group(1)).toArray(String[]::new);
  }

  /// Runs the suggested command.
  static CliHarness.Ran again(CliHarness.Ran ran, String before) {
    return CliHarness.run(words(ran, before));
  }

  private static List<String> split(String command) {
    try {
      var shell =
          new ProcessBuilder("sh", "-c", "printf '%s\\0' " + command)
              .directory(Path.of(".").toFile())
              .redirectErrorStream(true)
              .start();
      var words = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Arrays.asList(words.split("\0"));
    } catch (IOException noShell) {
      throw new AssertionError(noShell);
    }
  }
}
