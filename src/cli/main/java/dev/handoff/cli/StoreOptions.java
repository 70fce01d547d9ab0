package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.HandoffReader;
import dev.handoff.StoreSettings;
import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Options that select the store of a command.
final class StoreOptions {

  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Pattern SECRET = Pattern.compile("(?i)(user|password|sslpassword)(=|$)");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "handoff-data",
      description = "The directory of the store (default: ${DEFAULT-VALUE}).")
  Path data;

  @Option(
      names = "--database",
      paramLabel = "URL",
      description = {
        "A PostgreSQL database instead of --data:",
        "jdbc:postgresql://host/name",
        "User and password may come from PGUSER and PGPASSWORD."
      })
  @Nullable String database;

  StoreSettings.Kind kind() {
    if (database == null) {
      return new StoreSettings.File(data);
    }
    if (!database.startsWith("jdbc:postgresql:")) {
      throw new CommandFailedException(
          ExitCode.USAGE,
          "--database must begin with jdbc:postgresql:, such as jdbc:postgresql://localhost/jobs");
    }
    if (Driver.parseURL(database, new Properties()) == null) {
      throw new CommandFailedException(
          ExitCode.USAGE,
          "--database is not of the form jdbc:postgresql://host:port/name, such as"
              + " jdbc:postgresql://localhost/jobs");
    }
    return new StoreSettings.Postgres(
        database, System.getenv("PGUSER"), System.getenv("PGPASSWORD"), CONNECT);
  }

  /// Store options for follow-up commands, with a leading blank; empty for the default store.
  String again() {
    if (database != null) {
      return NextCommand.option("--database", withoutSecrets(database));
    }
    return data.equals(Path.of("handoff-data"))
        ? ""
        : NextCommand.option("--data", data.toString());
  }

  /// Database URL without user name and passwords, which must not appear in output.
  private static String withoutSecrets(String url) {
    int behind = url.indexOf('?') + 1;
    if (behind == 0) {
      return url;
    }
    var kept =
        Stream.of(url.substring(behind).split("&"))
            .filter(one -> !one.isEmpty() && !SECRET.matcher(one).lookingAt())
            .collect(Collectors.joining("&"));
    return url.substring(0, kept.isEmpty() ? behind - 1 : behind) + kept;
  }

  /// Directory for temporary files of a command.
  Path scratch() {
    return database == null ? data : Path.of(System.getProperty("java.io.tmpdir"));
  }

  /// @throws ParameterException if two stores are named
  /// @throws CommandFailedException if the path is not a directory
  void check() {
    if (database != null && spec.commandLine().getParseResult().hasMatchedOption("--data")) {
      throw new ParameterException(
          spec.commandLine(),
          "--data and --database name two stores: leave out one of them, a database needs no"
              + " directory");
    }
    if (database == null && Files.exists(data) && !Files.isDirectory(data)) {
      throw new CommandFailedException(
          ExitCode.USAGE,
          "%s is not a directory: --data needs the directory of the store".formatted(data));
    }
  }

  /// Current state of the plan.
  ///
  /// @throws CommandFailedException if the store or the plan is missing
  PlanInfo look(PlanId id, PlanIdOption plan) {
    try (var reader = read()) {
      return reader.plan(id).orElseThrow(() -> plan.missing(reader, again()));
    }
  }

  /// Opens the store as its owner, for changes only: no job runs. Programs left by a killed process
  /// are ended.
  ///
  /// @throws CommandFailedException if the store or the plan is missing
  Handoff own(PlanId id, PlanIdOption plan) {
    look(id, plan);
    return own();
  }

  /// Opens the store as its owner, without looking up a plan.
  Handoff own() {
    if (database == null) {
      LogSetup.toFile(data.resolve("handoff.log"));
    }
    var handlers = BuiltInHandlers.with(BuiltInHandlers.Settings.SAFE.withExec());
    return RunEngine.start(kind(), () -> handlers.addTo(Handoff.builder().workers(0)));
  }

  /// Opens the store read-only.
  HandoffReader read() {
    check();
    if (database == null && !Files.isDirectory(data)) {
      throw new CommandFailedException(
          ExitCode.NOT_FOUND,
          "there is no store in %s: that directory does not exist".formatted(data));
    }
    return HandoffReader.open(kind());
  }
}
