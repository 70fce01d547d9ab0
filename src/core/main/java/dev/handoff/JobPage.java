package dev.handoff;

import java.util.List;
import java.util.Optional;

/// One page of jobs, newest first.
///
/// @param next cursor of the next page; empty for the last page
public record JobPage(List<JobInfo> jobs, Optional<String> next) {
  public JobPage {
    jobs = List.copyOf(jobs);
  }
}
