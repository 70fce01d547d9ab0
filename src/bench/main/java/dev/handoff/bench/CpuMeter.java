package dev.handoff.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.Supplier;

/// Measures wall time and the CPU time of this process and of the database server.
final class CpuMeter {

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final Supplier<Duration> server;
  private final long wall = System.nanoTime();
  private final long cpu = PROCESS.getProcessCpuTime();
  private final Duration serverCpu;

  /// @param server supplies the CPU time of the database server
  CpuMeter(Supplier<Duration> server) {
    this.server = server;
    this.serverCpu = server.get();
  }

  /// Time since the creation of this meter.
  Reading read() {
    return new Reading(
        (System.nanoTime() - wall) / 1e9,
        (PROCESS.getProcessCpuTime() - cpu) / 1e9,
        server.get().minus(serverCpu).toNanos() / 1e9);
  }

  /// Seconds of wall time, CPU time of this process, CPU time of the server.
  record Reading(double wall, double cpu, double serverCpu) {}
}
