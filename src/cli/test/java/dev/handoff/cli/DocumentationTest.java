package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The documentation of the command line")
@DisabledOnOs(OS.WINDOWS)
class DocumentationTest {

  @TempDir Path dir;

  @Test
  void hasAFileOfJobsThatRuns() throws IOException {
    var matcher = Pattern.compile("```ndjson\n(.*?)```", Pattern.DOTALL).matcher(documentation());
    assertThat(matcher.find()).isTrue();
    var file = Files.writeString(dir.resolve("jobs.ndjson"), matcher.group(1));

    var ran =
        CliHarness.run(
            "run", file.toString(), "--data", dir.resolve("data").toString(), "--allow-exec");

    assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
    assertThat(ran.out()).startsWith("5 jobs: 5 succeeded, 1 needed more than one attempt");
  }

  @Test
  void namesEveryCommand() throws IOException {
    var commands =
        Program.commands(
            new ProgramStreams(System.in, System.out, System.err, TerminalSetup.none()));

    assertThat(commands.getSubcommands().keySet())
        .isNotEmpty()
        .allSatisfy(command -> assertThat(documentation()).contains("`handoff " + command));
  }

  /// Both the page and the program's help name each exit code.
  @Test
  void namesEveryExitCode() throws Exception {
    var page = documentation().substring(documentation().indexOf("## Exit codes"));
    var help = CliHarness.run("--help").out();
    var footer = help.substring(help.indexOf("Exit codes:"));

    for (var field : ExitCode.class.getDeclaredFields()) {
      int code = field.getInt(null);
      assertThat(page).as(field.getName()).containsPattern("\\b" + code + " ");
      assertThat(footer).as(field.getName()).containsPattern("\\b" + code + " ");
    }
  }

  private static String documentation() throws IOException {
    return Files.readString(Path.of("docs", "command-line.md"));
  }
}
