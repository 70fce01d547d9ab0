package dev.handoff;

import java.util.List;
import java.util.Optional;

/// Some jobs, newest first.
///
/// @param next the cursor of the page after this one; empty if this is the last
public record JobPage(List<JobInfo> jobs, Optional<String> next) {
  public JobPage {
    jobs = List.copyOf(jobs);
  }
}
