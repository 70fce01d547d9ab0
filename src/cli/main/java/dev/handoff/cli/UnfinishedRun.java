package dev.handoff.cli;

import dev.handoff.HandoffReader;
import dev.handoff.JobFilter;
import dev.handoff.JobInfo;
import dev.handoff.JobStatus;
import dev.handoff.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Run of a file with live jobs in the store.
///
/// @param name empty for the first run
/// @param jobs number of unfinished jobs
record UnfinishedRun(String name, long jobs) {

  private static final List<JobStatus> LIVE =
      Arrays.stream(JobStatus.values()).filter(status -> !status.isTerminal()).toList();

  /// Newest unfinished run of a file.
  ///
  /// @param keys generator with the keys of the file's lines
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
      return Optional.empty(); // opening the store as owner reports the error
    }
  }

  private static Stream<JobInfo> jobs(HandoffReader reader, JobStatus status) {
    return reader
        .jobs(JobFilter.ALL.status(status), Optional.empty(), HandoffReader.MAX_LIMIT)
        .jobs()
        .stream();
  }
}
