package dev.handoff.bench;

import java.util.List;

/// What one round of one contender gave.
///
/// @param lost numbers of jobs that were accepted and did not run
/// @param repeated numbers of jobs that ran more than once
record Round(
    int jobs, Meter.Reading spent, double commits, List<Integer> lost, List<Integer> repeated) {

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
