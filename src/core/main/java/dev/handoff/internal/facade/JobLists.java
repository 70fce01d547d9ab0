package dev.handoff.internal.facade;

import dev.handoff.InvalidRequestException;
import dev.handoff.JobFilter;
import dev.handoff.JobPage;
import dev.handoff.UnavailableException;
import dev.handoff.internal.ask.EngineStage;
import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.engine.JobQuery;
import dev.handoff.internal.engine.Partition;
import dev.handoff.internal.job.JobArchive;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.store.HistoryQuery;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.text.Ulid;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// Job lists: live jobs of all partitions and ended jobs from history, merged by id, newest first.
///
/// Live jobs are read first. A job that ends between the two reads appears in both and is listed
/// once. In the opposite order such a job could appear in neither.
public record JobLists(RunningEngine engine) {

  static final int MAX_LIMIT = 10_000;

  private static final FactCodec CODEC = FactFolding.codec();

  public CompletionStage<JobPage> page(JobFilter filter, Optional<String> cursor, int limit) {
    check(cursor, limit);
    SubmissionRules.checkFilter(filter);
    var query = query(filter, cursor.orElse(null), limit + 1);
    return live(query)
        .thenCompose(live -> ended(query).thenApply(ended -> merged(live, ended, limit)));
  }

  private static void check(Optional<String> cursor, int limit) {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new InvalidRequestException(
          List.of("limit must be 1 to %d, was %d".formatted(MAX_LIMIT, limit)));
    }
    if (cursor.isPresent() && !Ulid.isValid(cursor.get())) {
      throw new InvalidRequestException(List.of("the cursor is not one that a list has given"));
    }
  }

  private CompletionStage<List<JobState>> live(JobQuery query) {
    var parts =
        engine.doors().partitions().stream()
            .map(
                partition ->
                    engine
                        .calls()
                        .<Partition.Command, Partition.Listing>ask(
                            partition, replyTo -> new Partition.ListLive(query, replyTo))
                        .thenApply(JobLists::jobs)
                        .toCompletableFuture())
            .toList();
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
        .thenApply(all -> parts.stream().flatMap(part -> part.join().stream()).toList());
  }

  private static List<JobState> jobs(Partition.Listing listing) {
    return switch (listing) {
      case Partition.LiveJobs(int partition, var jobs) -> jobs;
      case Partition.LivePlans none -> List.of();
      case Partition.NotListed(int partition, var reason, var retryAfter) ->
          throw new UnavailableException(reason);
    };
  }

  /// A part of history, newest first. The store shortens pages of large jobs, so only an empty page
  /// is the end.
  ///
  /// @param more whether history has further jobs after the last of these
  private record Ended(List<JobState> jobs, boolean more) {}

  private CompletionStage<Ended> ended(JobQuery query) {
    if (query.status() != null && !query.status().isTerminal()) {
      return CompletableFuture.completedStage(new Ended(List.of(), false));
    }
    int asked = Math.min(query.limit(), MAX_LIMIT);
    return rows(query, query.before(), asked)
        .thenCompose(
            jobs ->
                jobs.isEmpty() || jobs.size() == query.limit()
                    ? CompletableFuture.completedStage(new Ended(jobs, !jobs.isEmpty()))
                    : rows(query, jobs.getLast().id().value(), 1)
                        .thenApply(next -> new Ended(jobs, !next.isEmpty())));
  }

  private CompletionStage<List<JobState>> rows(JobQuery query, @Nullable String before, int limit) {
    return EngineStage.of(engine.store().list(history(query, before, limit)))
        .exceptionally(
            failure -> {
              throw new UnavailableException(UnavailableReasons.of(failure));
            })
        .thenApply(found -> found.stream().map(JobLists::read).toList());
  }

  /// Query to the store.
  public static HistoryQuery history(JobQuery query, @Nullable String before, int limit) {
    return new HistoryQuery(
        JobArchive.KIND,
        query.status() == null ? null : query.status().label(),
        query.type(),
        query.queue(),
        query.plan(),
        query.label(),
        before,
        limit);
  }

  private static JobState read(HistoryRow row) {
    try {
      return JobArchive.read(row, CODEC);
    } catch (IOException e) {
      throw new UnavailableException(
          "job %s cannot be read from history: %s".formatted(row.id(), e.getMessage()));
    }
  }

  /// Merges both lists, newest first, each job once. If history was cut, live jobs older than the
  /// cut go to the next page.
  private JobPage merged(List<JobState> live, Ended ended, int limit) {
    var all = new TreeMap<String, JobState>(Comparator.reverseOrder());
    live.forEach(job -> all.put(job.id().value(), job));
    ended.jobs().forEach(job -> all.put(job.id().value(), job));
    var whole = ended.more() ? all.headMap(ended.jobs().getLast().id().value(), true) : all;
    var seen = engine.submissions().clock().instant();
    var page = whole.values().stream().limit(limit).map(job -> JobView.of(job, seen)).toList();
    boolean more = ended.more() || whole.size() > limit;
    return new JobPage(page, more ? Optional.of(page.getLast().id().value()) : Optional.empty());
  }

  /// Query of a filter.
  ///
  /// @param before upper bound of the ids, exclusive; null = none
  public static JobQuery query(JobFilter filter, @Nullable String before, int limit) {
    return new JobQuery(
        filter.status(),
        filter.queue(),
        filter.type(),
        filter.plan(),
        filter.label(),
        before,
        limit);
  }
}
