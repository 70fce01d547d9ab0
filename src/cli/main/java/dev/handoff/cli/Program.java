package dev.handoff.cli;

import dev.handoff.InvalidRequestException;
import dev.handoff.StoreException;
import dev.handoff.UnavailableException;
import dev.handoff.internal.ask.StageFailures;
import dev.handoff.plan.UnreadableChanges;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Root command of the program: subcommands and error output.
@Command(
    name = "handoff",
    description =
        "Runs jobs durably: each job goes to exactly one worker at a time, and no job"
            + " is lost.",
    versionProvider = Program.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "handoff COMMAND --help shows the options of a command.",
      "Exit codes: 0 ok, 1 failed, 2 wrong usage, 3 not found, 4 refused,",
      "5 unreachable, 130 stopped by Ctrl-C, 143 terminated."
    })
final class Program implements Callable<Integer> {

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version and exit.")
  private boolean version;

  @Mixin private CommonOptions common = new CommonOptions();

  @Spec private CommandSpec spec;

  private Program() {}

  /// Runs a command.
  ///
  /// @return the exit code
  static int run(ProgramStreams streams, String... args) {
    LogSetup.toStandardError(streams.err());
    int exitCode = commands(streams).execute(args);
    var failure = streams.failure();
    failure.ifPresent(
        why -> streams.err().println("handoff: the output could not be written: " + why));
    return failure.isPresent() && exitCode == ExitCode.OK ? ExitCode.FAILED : exitCode;
  }

  static CommandLine commands(ProgramStreams streams) {
    var commands =
        new CommandLine(new Program())
            .addSubcommand(new DemoCommand(streams))
            .addSubcommand(new RunCommand(streams))
            .addSubcommand(new ListCommand(streams))
            .addSubcommand(new ShowCommand(streams))
            .addSubcommand(new RetryCommand(streams))
            .addSubcommand(PlanCommandGroup.with(streams))
            .addSubcommand(new ContextCommand(streams))
            .addSubcommand(new DoctorCommand(streams))
            .setOut(new PrintWriter(streams.out(), true))
            .setErr(new PrintWriter(streams.err(), true))
            .setParameterExceptionHandler((wrong, args) -> misused(wrong, args, streams))
            .setExecutionExceptionHandler(
                (failure, line, parsed) -> failed(failure, parsed, streams));
    commands.setUsageHelpAutoWidth(true);
    commands.setExpandAtFiles(false); // a path may begin with @
    commands.registerConverter(Path.class, Program::path);
    return commands;
  }

  @Override
  public Integer call() {
    throw new MissingCommandException(spec.commandLine());
  }

  /// Call of a command group without a subcommand.
  static final class MissingCommandException extends ParameterException {
    MissingCommandException(CommandLine called) {
      super(called, "%s needs a command".formatted(called.getCommandSpec().qualifiedName()));
    }
  }

  /// Converts a path argument. An empty path is refused: it is probably an unset variable and would
  /// mean the current directory.
  private static Path path(String name) {
    if (name.isBlank()) {
      throw new TypeConversionException(
          "the path is empty: name a directory, or . for the" + " current one");
    }
    return Path.of(name);
  }

  private static int misused(ParameterException wrong, String[] args, ProgramStreams streams) {
    var words =
        TerminalText.line(
            wrong instanceof UnmatchedArgumentException none
                ? of(none)
                : wrong.getMessage().replaceFirst("^Error: ", ""));
    if (List.of(args).contains("--json")) {
      streams.err().println(JsonText.error(words, ExitCode.USAGE));
      return ExitCode.USAGE;
    }
    if (wrong instanceof MissingCommandException) {
      wrong.getCommandLine().usage(streams.err());
      return ExitCode.USAGE;
    }
    streams.err().println("handoff: " + words);
    streams
        .err()
        .printf("Try: %s --help%n", wrong.getCommandLine().getCommandSpec().qualifiedName());
    return ExitCode.USAGE;
  }

  private static String of(UnmatchedArgumentException unknown) {
    var first = unknown.getUnmatched().getFirst();
    var command = unknown.getCommandLine();
    if (unknown.isUnknownOption()) {
      var known = new TreeSet<String>();
      command.getCommandSpec().options().forEach(option -> known.add(option.longestName()));
      return "option %s does not exist; known: %s".formatted(first, String.join(", ", known));
    }
    return !command.getSubcommands().isEmpty()
        ? "command \"%s\" does not exist; known: %s"
            .formatted(first, String.join(", ", command.getSubcommands().keySet()))
        : "\"%s\" is one argument too many: put text with spaces into quotes".formatted(first);
  }

  private static int failed(Exception failure, ParseResult parsed, ProgramStreams streams) {
    var options = CommonOptions.of(parsed);
    if (options.verbose) {
      failure.printStackTrace(streams.err());
    }
    var failed = asFailed(failure);
    if (options.json) {
      streams
          .err()
          .println(TerminalText.lines(JsonText.error(failed.getMessage(), failed.exitCode())));
    } else {
      streams.err().println("handoff: " + TerminalText.lines(failed.getMessage()));
    }
    return failed.exitCode();
  }

  static CommandFailedException asFailed(Throwable failure) {
    return switch (StageFailures.cause(failure)) {
      case CommandFailedException known -> known;
      case StoreException.Held held ->
          new CommandFailedException(
              ExitCode.REFUSED, held.getMessage().replace(", or ask it instead", ""));
      case StoreException.Missing none ->
          new CommandFailedException(ExitCode.NOT_FOUND, none.getMessage());
      case StoreException.Denied denied ->
          new CommandFailedException(ExitCode.UNREACHABLE, denied.getMessage());
      case StoreException.Unfit unfit ->
          new CommandFailedException(ExitCode.REFUSED, unfit.getMessage());
      case StoreException.Unavailable away ->
          new CommandFailedException(ExitCode.UNREACHABLE, away.getMessage());
      case StoreException.Newer newer ->
          new CommandFailedException(ExitCode.REFUSED, newer.getMessage());
      case StoreException.Unreadable damaged ->
          new CommandFailedException(ExitCode.FAILED, damaged.getMessage());
      case UnavailableException silent ->
          new CommandFailedException(
              ExitCode.UNREACHABLE,
              "the store gave no answer: %s\n".formatted(silent.getMessage())
                  + "it is unknown whether the command took effect; repeating it is safe, and"
                  + " shows the result");
      case UnreadableChanges damaged ->
          new CommandFailedException(ExitCode.FAILED, damaged.getMessage());
      case InvalidRequestException invalid ->
          new CommandFailedException(ExitCode.USAGE, invalid.getMessage());
      case IOException broken -> new CommandFailedException(ExitCode.FAILED, ErrorText.of(broken));
      default ->
          new CommandFailedException(
              ExitCode.FAILED,
              "unexpected error: %s (--verbose shows the stack trace)"
                  .formatted(ErrorText.of(failure)));
    };
  }

  /// Version of this jar.
  static final class Version implements IVersionProvider {
    static String text() {
      var version = Program.class.getPackage().getImplementationVersion();
      return version == null ? "development" : version;
    }

    @Override
    public String[] getVersion() {
      return new String[] {"handoff " + text()};
    }
  }
}
