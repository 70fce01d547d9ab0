package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.JobFilter;
import dev.handoff.JobInfo;
import dev.handoff.JobStatus;
import dev.handoff.QueueInfo;
import dev.handoff.internal.ask.ThreadPause;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/// Watches unfinished jobs of earlier runs, which the engine completes after the file. Excluded are
/// jobs of unknown types, of paused queues, and jobs scheduled for a later time.
final class OtherJobs {

  private static final List<JobStatus> UNDER_WAY =
      List.of(
          JobStatus.QUEUED,
          JobStatus.CLAIMED,
          JobStatus.RUNNING,
          JobStatus.CANCELLING,
          JobStatus.SCHEDULED);
  private static final int ENOUGH = 1_000;
  private static final Duration AGAIN = Duration.ofMillis(500);
  private static final String THREAD = "handoff-other-jobs";

  private final Handoff handoff;
  private final Set<String> types;
  private final LongConsumer counts;
  private boolean wasQuiet;
  private volatile boolean stopped;

  /// @param types known job types
  /// @param counts receives the number of such jobs periodically after [#watch()], until it is 0
  OtherJobs(Handoff handoff, Set<String> types, LongConsumer counts) {
    this.handoff = handoff;
    this.types = types;
    this.counts = counts;
  }

  void watch() {
    Thread.ofVirtual().name(THREAD).start(this::look);
  }

  void stop() {
    stopped = true;
  }

  private void look() {
    boolean isOver = false;
    try {
      long count = count();
      isOver = count == 0 && (wasQuiet || !plansAreUnderWay());
      wasQuiet = count == 0;
      if (count > 0 || isOver) {
        counts.accept(count);
      }
    } catch (RuntimeException away) {
      // The store may be away; the next poll tries again.
    }
    if (!isOver && !stopped) {
      ThreadPause.beforeTask(AGAIN, THREAD, this::look);
    }
  }

  /// Whether a plan is unfinished. A plan may have no running job between two steps, so its zero
  /// count must occur twice in a row.
  private boolean plansAreUnderWay() {
    return handoff
        .plans()
        .list(Optional.empty(), ENOUGH)
        .toCompletableFuture()
        .join()
        .plans()
        .stream()
        .anyMatch(plan -> !plan.status().isTerminal());
  }

  private long count() {
    var paused =
        handoff.queues().list().toCompletableFuture().join().stream()
            .filter(QueueInfo::paused)
            .map(QueueInfo::name)
            .collect(Collectors.toSet());
    return UNDER_WAY.stream()
        .flatMap(status -> page(status).stream())
        .filter(job -> types.contains(job.type()) && !paused.contains(job.queue()))
        .filter(job -> job.status() != JobStatus.SCHEDULED || job.attempt() > 0)
        .count();
  }

  private List<JobInfo> page(JobStatus status) {
    return handoff
        .jobs(JobFilter.ALL.status(status), Optional.empty(), ENOUGH)
        .toCompletableFuture()
        .join()
        .jobs();
  }
}
