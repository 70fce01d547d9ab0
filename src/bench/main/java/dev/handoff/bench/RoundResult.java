package dev.handoff.bench;

import java.util.List;

/// Result of one round of one contender.
///
/// @param lost numbers of accepted jobs that did not run
/// @param repeated numbers of jobs that ran more than once
record RoundResult(
    int jobs, CpuMeter.Reading spent, double commits, List<Integer> lost, List<Integer> repeated) {

  double rate() {
    return jobs / spent.wall();
  }

  double cpuMicros() {
    return spent.cpu() * 1e6 / jobs;
  }

  double serverMicros() {
    return spent.serverCpu() * 1e6 / jobs;
  }

  double commitsPerJob() {
    return commits / jobs;
  }
}
