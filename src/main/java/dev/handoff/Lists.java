package dev.handoff;

import dev.handoff.engine.JobQuery;
import dev.handoff.engine.Partition;
import dev.handoff.job.Archive;
import dev.handoff.job.JobState;
import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.Ulid;
import dev.handoff.store.HistoryQuery;
import dev.handoff.store.HistoryRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/// Lists of jobs: what is live in each partition and what is in history, merged by id, newest
/// first.
///
/// The live ones are read first. A job that ends in between is then in both, and shown once; the
/// other way round it could be in neither.
record Lists(Handoff.Inside inside) {

  static final int MAX_LIMIT = 10_000;

  private static final Duration ASK = Duration.ofSeconds(30);
  private static final FactCodec CODEC = dev.handoff.engine.Facts.codec();

  CompletionStage<JobPage> page(JobFilter filter, Optional<String> cursor, int limit) {
    check(cursor, limit);
    var query =
        new JobQuery(
            filter.status(),
            filter.queue(),
            filter.type(),
            filter.plan(),
            filter.label(),
            cursor.orElse(null),
            limit);
    return live(query)
        .thenCompose(live -> ended(query).thenApply(ended -> merged(live, ended, limit)));
  }

  static void check(Optional<String> cursor, int limit) {
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
        inside.doors().partitions().stream()
            .map(
                partition ->
                    AskPattern.<Partition.Command, Partition.LiveJobs>ask(
                            partition,
                            replyTo -> new Partition.ListLive(query, replyTo),
                            ASK,
                            inside.system().scheduler())
                        .toCompletableFuture())
            .toList();
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
        .thenApply(all -> parts.stream().flatMap(part -> part.join().jobs().stream()).toList());
  }

  private CompletionStage<List<JobState>> ended(JobQuery query) {
    if (query.status() != null && !query.status().isTerminal()) {
      return CompletableFuture.completedStage(List.of());
    }
    return inside
        .store()
        .list(history(query))
        .thenApply(rows -> rows.stream().map(row -> read(row, CODEC)).toList());
  }

  static HistoryQuery history(JobQuery query) {
    return new HistoryQuery(
        Archive.KIND,
        query.status() == null ? null : query.status().label(),
        query.type(),
        query.queue(),
        query.plan(),
        query.label(),
        query.before(),
        query.limit());
  }

  static JobState read(HistoryRow row, FactCodec codec) {
    try {
      return Archive.read(row, codec);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "job %s cannot be read from history: %s".formatted(row.id(), e.getMessage()), e);
    }
  }

  private JobPage merged(List<JobState> live, List<JobState> ended, int limit) {
    var seen = inside.clock().instant();
    var known = new HashSet<String>();
    var all = new ArrayList<JobState>();
    ended.stream().filter(job -> known.add(job.id().value())).forEach(all::add);
    live.stream().filter(job -> known.add(job.id().value())).forEach(all::add);
    all.sort(Comparator.comparing((JobState job) -> job.id().value()).reversed());
    var page = all.subList(0, Math.min(limit, all.size()));
    var next =
        page.size() < limit ? Optional.<String>empty() : Optional.of(page.getLast().id().value());
    return new JobPage(page.stream().map(job -> new JobInfo(job, seen)).toList(), next);
  }
}
