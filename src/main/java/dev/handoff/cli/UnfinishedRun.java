package dev.handoff.cli;

import dev.handoff.HandoffReader;
import dev.handoff.JobFilter;
import dev.handoff.JobInfo;
import dev.handoff.job.JobStatus;
import dev.handoff.store.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A run of a file that has not ended: some of its jobs are live in the store.
///
/// @param name empty for the first run, which has none
/// @param jobs how many of its jobs have not ended
record UnfinishedRun(String name, long jobs) {

  private static final List<JobStatus> LIVE =
      Arrays.stream(JobStatus.values()).filter(status -> !status.isTerminal()).toList();

  /// The newest one of a file.
  ///
  /// @param keys that have been made for the lines of the file
  static Optional<UnfinishedRun> find(StoreOptions store, LineKeys keys) {
    try (var reader = HandoffReader.open(store.kind())) {
      var runs =
          LIVE.stream()
              .flatMap(status -> jobs(reader, status))
              .flatMap(job -> job.key().stream())
              .flatMap(key -> keys.runOf(key).stream())
              .toList();
      return runs.stream()
          .max(String::compareTo)
          .map(name -> new UnfinishedRun(name, runs.stream().filter(name::equals).count()));
    } catch (StoreException none) {
      return Optional.empty(); // whoever opens it as its owner says what is wrong
    }
  }

  private static Stream<JobInfo> jobs(HandoffReader reader, JobStatus status) {
    return reader
        .jobs(JobFilter.ALL.status(status), Optional.empty(), HandoffReader.MAX_LIMIT)
        .jobs()
        .stream();
  }
}
