package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.HandoffReader;
import dev.handoff.PlanInfo;
import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.handlers.HandlerSettings;
import dev.handoff.plan.PlanId;
import dev.handoff.store.StoreException;
import dev.handoff.store.StoreSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which store a command works on.
final class StoreOptions {

  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Pattern SECRET = Pattern.compile("(?i)(user|password|sslpassword)(=|$)");

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
        "A PostgreSQL database instead:",
        "jdbc:postgresql://host/name",
        "User and password also from PGUSER and PGPASSWORD."
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
    return new StoreSettings.Postgres(
        database, System.getenv("PGUSER"), System.getenv("PGPASSWORD"), CONNECT);
  }

  /// How commands name it, with a blank before it; empty where they need not.
  String again() {
    if (database != null) {
      return Again.option("--database", withoutSecrets(database));
    }
    return data.equals(Path.of("handoff-data")) ? "" : Again.option("--data", data.toString());
  }

  /// Without whoever asks, whose name and passwords are nobody else's business: everything else
  /// says which store it is.
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

  /// @throws CommandFailedException if the directory is something else
  void requireDirectory() {
    if (database == null && Files.exists(data) && !Files.isDirectory(data)) {
      throw new CommandFailedException(
          ExitCode.USAGE,
          "%s is not a directory: --data names the one of the store".formatted(data));
    }
  }

  /// The plan as it stands there.
  ///
  /// @throws CommandFailedException if there is no store, or no such plan in it
  PlanInfo look(PlanId id, PlanIdOption plan) {
    try (var reader = read()) {
      return reader.plan(id).orElseThrow(() -> plan.missing(reader, again()));
    }
  }

  /// Opens it as its owner, to change something in it: nothing runs. What a process that was killed
  /// has left running is ended.
  ///
  /// @throws CommandFailedException if there is none, or no such plan in it
  Handoff own(PlanId id, PlanIdOption plan) {
    look(id, plan);
    if (database == null) {
      Logging.toFile(data.resolve("handoff.log"));
    }
    var handlers = BuiltInHandlers.with(HandlerSettings.SAFE.withExec());
    return RunEngine.start(kind(), () -> handlers.addTo(Handoff.builder().workers(0)));
  }

  /// Opens it to look at it.
  HandoffReader read() {
    requireDirectory();
    if (database == null && !Files.isDirectory(data)) {
      throw new CommandFailedException(
          ExitCode.NOT_FOUND,
          "there is no store in %s: that directory does not exist".formatted(data));
    }
    try {
      return HandoffReader.open(kind());
    } catch (StoreException.Unfit none) {
      throw new CommandFailedException(ExitCode.NOT_FOUND, none.getMessage());
    }
  }
}
