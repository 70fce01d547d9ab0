package dev.handoff.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.Supplier;

/// Wall time, and the CPU time of this process and of the database server.
final class Meter {

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final Supplier<Duration> server;
  private final long wall = System.nanoTime();
  private final long cpu = PROCESS.getProcessCpuTime();
  private final Duration serverCpu;

  /// @param server asks for the CPU time of the database server
  Meter(Supplier<Duration> server) {
    this.server = server;
    this.serverCpu = server.get();
  }

  /// What has passed since the meter was made.
  Reading read() {
    return new Reading(
        (System.nanoTime() - wall) / 1e9,
        (PROCESS.getProcessCpuTime() - cpu) / 1e9,
        server.get().minus(serverCpu).toNanos() / 1e9);
  }

  /// Seconds: by the clock, of CPU of this process, of CPU of the server.
  record Reading(double wall, double cpu, double serverCpu) {}
}
