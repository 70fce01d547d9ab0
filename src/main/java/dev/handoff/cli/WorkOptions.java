package dev.handoff.cli;

import dev.handoff.Durations;
import dev.handoff.Handoff;
import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.handlers.HandlerSettings;
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

/// What may run, and how much of it at once.
final class WorkOptions {

  private static final Duration LONGEST_GRACE = Duration.ofMinutes(5);

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "128",
      description = "So many jobs run at once (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      defaultValue = "30s",
      description =
          "How long running jobs may go on when it is stopped (default: ${DEFAULT-VALUE}).")
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
      description = "Those hosts may be on this machine or in a private network.")
  private boolean allowHttpPrivate;

  /// @throws ParameterException if one of them is not what it should be
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

  /// How a command says so once more, with a blank before it; empty if nothing is allowed.
  String again() {
    var words = new StringBuilder(allowExec ? " --allow-exec" : "");
    allowHttp.forEach(host -> words.append(Again.option("--allow-http", host)));
    return words.append(allowHttpPrivate ? " --allow-http-private" : "").toString();
  }

  BuiltInHandlers handlers() {
    return BuiltInHandlers.with(settings());
  }

  /// Starts an engine that runs what may run. Where all jobs are programs, there are no more
  /// workers than programs may run: a job that waits for its turn inside of a worker would lose an
  /// attempt with it.
  ///
  /// @param types of the jobs that are to run
  /// @param onDown told why, if the engine goes down by itself
  Handoff start(StoreOptions store, Set<String> types, Consumer<String> onDown) throws IOException {
    if (store.database == null) {
      Files.createDirectories(store.data);
      Logging.toFile(store.data.resolve("handoff.log"));
    } else {
      Logging.withoutStore();
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

  /// Why nobody here can run jobs of a type, and what to do about it.
  static String hint(String type, Set<String> known) {
    return switch (type) {
      case BuiltInHandlers.EXEC -> "is switched off; --allow-exec lets jobs start programs";
      case BuiltInHandlers.HTTP ->
          "is switched off; --allow-http HOST lets jobs send requests to that host";
      default -> "does not exist; known: " + String.join(", ", known);
    };
  }

  private HandlerSettings settings() {
    var settings = HandlerSettings.SAFE.withHttp(allowHttp, allowHttpPrivate);
    return allowExec ? settings.withExec() : settings;
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
