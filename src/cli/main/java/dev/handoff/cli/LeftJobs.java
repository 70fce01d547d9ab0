package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.HandoffReader;
import dev.handoff.JobFilter;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobStatus;
import dev.handoff.QueueInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Unfinished jobs of a store that can run immediately; `run` without a file completes them.
/// Excluded are plan steps, which belong to their plans, and jobs scheduled for a later time.
///
/// @param jobs of known types
/// @param others number of jobs per unknown type
record LeftJobs(List<Left> jobs, Map<String, Long> others) {

  /// Data needed to wait for a job.
  record Left(JobId id, String type, String queue) {}

  private static final List<JobStatus> UNDER_WAY =
      List.of(
          JobStatus.QUEUED,
          JobStatus.CLAIMED,
          JobStatus.RUNNING,
          JobStatus.CANCELLING,
          JobStatus.SCHEDULED);

  /// Reads the unfinished jobs of a store without an engine.
  ///
  /// @param types known job types
  static LeftJobs in(StoreOptions store, Set<String> types) {
    try (var reader = store.read()) {
      var all = UNDER_WAY.stream().flatMap(status -> of(reader, status).stream()).toList();
      return new LeftJobs(
          all.stream().filter(job -> types.contains(job.type())).toList(),
          all.stream()
              .filter(job -> !types.contains(job.type()))
              .collect(Collectors.groupingBy(Left::type, TreeMap::new, Collectors.counting())));
    }
  }

  private static List<Left> of(HandoffReader reader, JobStatus status) {
    var found = new ArrayList<Left>();
    var after = Optional.<String>empty();
    do {
      var page = reader.jobs(JobFilter.ALL.status(status), after, HandoffReader.MAX_LIMIT);
      page.jobs().stream()
          .filter(LeftJobs::canGoOn)
          .map(job -> new Left(job.id(), job.type(), job.queue()))
          .forEach(found::add);
      after = page.next();
    } while (after.isPresent());
    return found;
  }

  private static boolean canGoOn(JobInfo job) {
    return job.plan().isEmpty() && (job.status() != JobStatus.SCHEDULED || job.attempt() > 0);
  }

  /// Description of the jobs with unknown types, with a remedy.
  List<String> aside(Set<String> types) {
    return others.entrySet().stream()
        .map(
            other ->
                "%s of type %s: %s"
                    .formatted(
                        PlanText.count(other.getValue(), "job"),
                        other.getKey(),
                        WorkOptions.hint(other.getKey(), types)))
        .toList();
  }

  /// Copy without the jobs of paused queues.
  LeftJobs withoutPaused(Handoff handoff) {
    var paused =
        handoff.queues().list().toCompletableFuture().join().stream()
            .filter(QueueInfo::paused)
            .map(QueueInfo::name)
            .collect(Collectors.toSet());
    return new LeftJobs(
        jobs.stream().filter(job -> !paused.contains(job.queue())).toList(), others);
  }

  /// Watches the end of every job.
  JobSource watch(Handoff handoff, Consumer<RunEvent> events) {
    var source = new Watch(events);
    jobs.forEach(
        job ->
            handoff
                .handle(job.id())
                .ended()
                .whenComplete((ended, failure) -> source.onEnd(ended, failure)));
    events.accept(new RunEvent.AllHandedIn(jobs.size()));
    return source;
  }

  private static final class Watch implements JobSource {
    private final Consumer<RunEvent> events;
    private volatile boolean stopped;

    Watch(Consumer<RunEvent> events) {
      this.events = events;
    }

    private void onEnd(@Nullable JobInfo ended, @Nullable Throwable failure) {
      if (ended != null) {
        events.accept(new RunEvent.Ended(RunEvent.NO_LINE, ended));
      } else if (!stopped) {
        events.accept(new RunEvent.Refused(RunEvent.NO_LINE, ErrorText.of(failure)));
      }
    }

    @Override
    public void stop() {
      stopped = true;
    }
  }
}
