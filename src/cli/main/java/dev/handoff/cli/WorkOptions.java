package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.internal.text.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Options for handlers and workers.
final class WorkOptions {

  private static final Duration LONGEST_GRACE = Duration.ofMinutes(5);

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "128",
      description = "Number of jobs that run in parallel (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = "Time that running jobs get to end after a stop (default: ${DEFAULT-VALUE}).")
  private String grace;

  @Option(names = "--allow-exec", description = "Let jobs start programs.")
  private boolean allowExec;

  @Option(
      names = "--allow-http",
      paramLabel = "HOST",
      description = "Let jobs send requests to this host; may be repeated.")
  private Set<String> allowHttp = new LinkedHashSet<>();

  @Option(
      names = "--allow-http-private",
      description = "Allow these hosts to be on this machine or in a private network.")
  private boolean allowHttpPrivate;

  /// @throws ParameterException if an option is invalid
  void check() {
    if (workers < 1 || workers > 100_000) {
      throw misuse("--workers must be 1 to 100000, was " + workers);
    }
    settings().problems().stream()
        .findFirst()
        .ifPresent(
            problem -> {
              throw misuse("--allow-http " + problem);
            });
    try {
      if (Durations.parse(grace).compareTo(LONGEST_GRACE) > 0) {
        throw misuse("--grace must be at most 5m, was " + grace);
      }
    } catch (IllegalArgumentException notOne) {
      throw misuse("--grace: " + notOne.getMessage());
    }
  }

  /// Handler options for follow-up commands, with a leading blank; empty if nothing is allowed.
  String again() {
    var words = new StringBuilder(allowExec ? " --allow-exec" : "");
    allowHttp.forEach(host -> words.append(NextCommand.option("--allow-http", host)));
    return words.append(allowHttpPrivate ? " --allow-http-private" : "").toString();
  }

  BuiltInHandlers handlers() {
    return BuiltInHandlers.with(settings());
  }

  /// Starts an engine with the allowed handlers. If all jobs are programs, the number of workers is
  /// limited to `maxProcesses`: an attempt that waits for a process slot inside its worker would be
  /// lost with the worker.
  ///
  /// @param types job types to run
  /// @param onDown receives the reason if the engine fails
  Handoff start(StoreOptions store, Set<String> types, Consumer<String> onDown) throws IOException {
    if (store.database == null) {
      Files.createDirectories(store.data);
      LogSetup.toFile(store.data.resolve("handoff.log"));
    } else {
      LogSetup.withoutStore();
    }
    boolean programsOnly = types.equals(Set.of(BuiltInHandlers.EXEC));
    int most = programsOnly ? settings().maxProcesses() : workers;
    var handlers = handlers();
    return RunEngine.start(
        store.kind(),
        () ->
            handlers.addTo(
                Handoff.builder()
                    .workers(Math.min(workers, most))
                    .shutdownGrace(Durations.parse(grace))
                    .onDown(onDown)));
  }

  /// Reason why a type cannot run, with a remedy.
  static String hint(String type, Set<String> known) {
    return switch (type) {
      case BuiltInHandlers.EXEC -> "is switched off; --allow-exec lets jobs start programs";
      case BuiltInHandlers.HTTP ->
          "is switched off; --allow-http HOST lets jobs send requests to that host";
      default -> "does not exist; known: " + String.join(", ", known);
    };
  }

  private BuiltInHandlers.Settings settings() {
    var settings = BuiltInHandlers.Settings.SAFE.withHttp(allowHttp, allowHttpPrivate);
    return allowExec ? settings.withExec() : settings;
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
