package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.HandoffReader;
import dev.handoff.JobFilter;
import dev.handoff.JobInfo;
import dev.handoff.QueueInfo;
import dev.handoff.job.JobId;
import dev.handoff.job.JobStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Jobs that are left in a store and can go on at once: a run without a file works them off. Steps
/// belong to their plans, and what somebody wanted at a later time is not waited for.
///
/// @param jobs of types that can be run here
/// @param others how many there are of each type that cannot
record LeftJobs(List<Left> jobs, Map<String, Long> others) {

  /// A job, as far as it has to be known to wait for it.
  record Left(JobId id, String type, String queue) {}

  private static final List<JobStatus> UNDER_WAY =
      List.of(
          JobStatus.QUEUED,
          JobStatus.CLAIMED,
          JobStatus.RUNNING,
          JobStatus.CANCELLING,
          JobStatus.SCHEDULED);

  /// Those of a store that no engine has open.
  ///
  /// @param types that can be run here
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

  /// What cannot be run here, and what would change that.
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

  /// The same without those of queues that are paused.
  LeftJobs withoutPaused(Handoff handoff) {
    var paused =
        handoff.queues().list().toCompletableFuture().join().stream()
            .filter(QueueInfo::paused)
            .map(QueueInfo::name)
            .collect(Collectors.toSet());
    return new LeftJobs(
        jobs.stream().filter(job -> !paused.contains(job.queue())).toList(), others);
  }

  /// Waits for the end of each.
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
        events.accept(new RunEvent.Refused(RunEvent.NO_LINE, Words.of(failure)));
      }
    }

    @Override
    public void stop() {
      stopped = true;
    }
  }
}
