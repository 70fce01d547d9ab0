package dev.handoff.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.handoff.JobFilter;
import dev.handoff.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// Command `doctor`: checks the prerequisites of the program.
@Command(
    name = "doctor",
    description = "Checks Java, the machine and the store, and reports problems. Only reads.")
final class DoctorCommand implements Callable<Integer> {

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  private final ProgramStreams streams;

  DoctorCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  /// @param exitCode exit code of the program for this finding
  private record Finding(String words, int exitCode) {}

  @Override
  public Integer call() {
    var finding = lookAtStore();
    var json = JsonNodeFactory.instance.objectNode();
    json.put("handoff", Program.Version.text());
    json.put("java", Runtime.version() + ", " + System.getProperty("java.vendor"));
    json.put("javaHome", System.getProperty("java.home"));
    json.put(
        "system",
        "%s %s, %s"
            .formatted(
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch")));
    json.put("processors", Runtime.getRuntime().availableProcessors());
    json.put("mostHeapMiB", Runtime.getRuntime().maxMemory() >> 20);
    json.put("store", finding.words());
    json.put("ok", finding.exitCode() == ExitCode.OK);
    if (common.json) {
      streams.out().println(JsonText.of(json));
    } else {
      json.properties()
          .forEach(
              entry ->
                  streams
                      .out()
                      .printf(
                          "%-12s %s%n",
                          entry.getKey(), TerminalText.lines(entry.getValue().asText())));
    }
    return finding.exitCode();
  }

  private static boolean isEmpty(Path directory) {
    if (!Files.isDirectory(directory)) {
      return !Files.exists(directory);
    }
    try (var files = Files.newDirectoryStream(directory)) {
      return !files.iterator().hasNext();
    } catch (IOException unreadable) {
      return false;
    }
  }

  private Finding lookAtStore() {
    if (store.database == null && isEmpty(store.data)) {
      return new Finding(
          "none yet in %s: the first run creates it".formatted(store.data), ExitCode.OK);
    }
    try (var reader = store.read()) {
      var info = reader.info();
      int jobs = reader.jobs(JobFilter.ALL, Optional.empty(), 1).jobs().size();
      return new Finding(
          "%s in %s, %d partitions, %s; readable"
              .formatted(
                  info.kind(),
                  info.place(),
                  info.partitions(),
                  jobs == 0 ? "no jobs yet" : "has jobs"),
          ExitCode.OK);
    } catch (StoreException.Missing none) {
      return store.database == null
          ? new Finding(none.getMessage(), ExitCode.NOT_FOUND)
          : new Finding(none.getMessage() + " yet: the first run creates it", ExitCode.OK);
    } catch (StoreException | CommandFailedException trouble) {
      return new Finding(trouble.getMessage(), Program.asFailed(trouble).exitCode());
    }
  }
}
