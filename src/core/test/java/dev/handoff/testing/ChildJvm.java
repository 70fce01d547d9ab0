package dev.handoff.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Starts programs from the tests' class path in another JVM.
public final class ChildJvm {

  /// JVM options for short-lived processes: compilers that optimize more would not pay off.
  private static final List<String> FAST_START =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private ChildJvm() {}

  /// Command line that starts a program, without its arguments. Includes the coverage agent of the
  /// test run, if there is one.
  public static List<String> command(Class<?> program, String... options) {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command = new ArrayList<>(List.of(java, "-Xmx512m", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(FAST_START);
    command.addAll(List.of(options));
    if (Runtime.version().feature() >= 23) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    var coverage = System.getProperty("jacoco.agent");
    if (coverage != null) {
      command.add(coverage);
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    return command;
  }

  /// Sends a signal, as from another terminal: `KILL`, `STOP`, `CONT`, `TERM`.
  public static void signal(long pid, String name) {
    try {
      var kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
      if (kill.waitFor() != 0) {
        throw new AssertionError("no signal " + name + " for " + pid);
      }
    } catch (IOException | InterruptedException failed) {
      throw new AssertionError(failed);
    }
  }
}
