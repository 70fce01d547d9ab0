package dev.handoff.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// A command that the program has named as the next step, typed as it stands.
final class Typed {

  private Typed() {}

  /// The words behind `handoff` that a shell makes of the command behind some words of the answer.
  static String[] words(Cli.Ran ran, String before) {
    var line =
        Pattern.compile(Pattern.quote(before) + "handoff (.*)").matcher(ran.out() + ran.err());
    if (!line.find()) {
      throw new AssertionError("\"%s\" is not in %s".formatted(before, ran));
    }
    return split(line.group(1)).toArray(String[]::new);
  }

  /// Types it.
  static Cli.Ran again(Cli.Ran ran, String before) {
    return Cli.run(words(ran, before));
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
