package dev.handoff.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// How a test starts a program of its own classes in another JVM.
public final class ChildJvm {

  /// It does not live long enough for what takes long to pay.
  private static final List<String> FAST_START =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private ChildJvm() {}

  /// What starts a program, without its arguments. It is covered by the measurement of the tests,
  /// if there is one.
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

  /// As from another terminal: `KILL`, `STOP`, `CONT`, `TERM`.
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
