package dev.handoff.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A separate JVM for one measurement, with this JVM's class path and a fresh heap. It reports
/// figures on standard output.
final class BenchProcess {

  private static final String FIGURE = "figure ";

  private BenchProcess() {}

  /// Figures of a child.
  ///
  /// @param seconds arrival time per figure, measured by the parent since before the JVM start
  record Figures(Map<String, Double> values, Map<String, Double> seconds) {
    double get(String name) {
      var value = values.get(name);
      if (value == null) {
        throw new IllegalStateException("the child did not tell its " + name);
      }
      return value;
    }
  }

  /// Reports a figure; called in the child.
  static void tell(String name, double value) {
    System.out.println(FIGURE + name + " " + value);
  }

  /// Runs a main class to its end.
  ///
  /// @throws IllegalStateException if it fails
  static Figures run(Class<?> main, List<String> options, Object... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("--") || option.startsWith("-Dlogback"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    for (var argument : arguments) {
      command.add(argument.toString());
    }
    long start = System.nanoTime();
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    var end = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(end);
    try {
      return read(process, start);
    } finally {
      process.destroyForcibly().waitFor();
      Runtime.getRuntime().removeShutdownHook(end);
    }
  }

  private static Figures read(Process process, long start)
      throws IOException, InterruptedException {
    var figures = new Figures(new HashMap<>(), new HashMap<>());
    try (var lines = process.inputReader()) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(FIGURE)) {
          var parts = line.split(" ");
          figures.values.put(parts[1], Double.valueOf(parts[2]));
          figures.seconds.put(parts[1], (System.nanoTime() - start) / 1e9);
        }
      }
    }
    figures.seconds.put("exit", (System.nanoTime() - start) / 1e9);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the child ended with exit code " + process.exitValue());
    }
    return figures;
  }
}
