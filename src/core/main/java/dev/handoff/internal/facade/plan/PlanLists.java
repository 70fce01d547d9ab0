package dev.handoff.internal.facade.plan;

import dev.handoff.InvalidRequestException;
import dev.handoff.UnavailableException;
import dev.handoff.internal.ask.EngineStage;
import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.engine.Partition;
import dev.handoff.internal.engine.PlanQuery;
import dev.handoff.internal.facade.RunningEngine;
import dev.handoff.internal.facade.UnavailableReasons;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.plan.PlanArchive;
import dev.handoff.internal.plan.PlanHead;
import dev.handoff.internal.store.HistoryQuery;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.text.Ulid;
import dev.handoff.plan.PlanPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// Plan lists: live plans of all partitions and ended plans from history, merged by id, newest
/// first. Live plans are read first, so a plan that ends between the two reads appears in both,
/// never in neither.
record PlanLists(RunningEngine engine) {

  static final int MAX_LIMIT = 1_000;

  private static final int ROWS = 1_000;
  private static final FactCodec CODEC = FactFolding.codec();

  CompletionStage<PlanPage> page(Optional<String> cursor, int limit) {
    check(cursor, limit);
    var before = cursor.orElse(null);
    return live(new PlanQuery(before, limit + 1))
        .thenCompose(
            live ->
                ended(new ArrayList<>(), before, limit + 1)
                    .thenApply(ended -> merged(live, ended, limit)));
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

  private CompletionStage<List<PlanHead>> live(PlanQuery query) {
    var parts =
        engine.doors().partitions().stream()
            .map(
                partition ->
                    engine
                        .calls()
                        .<Partition.Command, Partition.Listing>ask(
                            partition, replyTo -> new Partition.ListPlans(query, replyTo))
                        .thenApply(PlanLists::plans)
                        .toCompletableFuture())
            .toList();
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
        .thenApply(all -> parts.stream().flatMap(part -> part.join().stream()).toList());
  }

  private static List<PlanHead> plans(Partition.Listing listing) {
    return switch (listing) {
      case Partition.LivePlans(int partition, var plans) -> plans;
      case Partition.NotListed(int partition, var reason, var retryAfter) ->
          throw new UnavailableException(reason);
      case Partition.LiveJobs none -> List.of();
    };
  }

  /// Reads history until the page is full or history ends; rows of child plans are skipped.
  private CompletionStage<List<PlanHead>> ended(
      List<PlanHead> found, @Nullable String before, int limit) {
    var query = new HistoryQuery(PlanArchive.KIND, null, null, null, null, null, before, ROWS);
    return EngineStage.of(engine.store().list(query))
        .exceptionally(
            failure -> {
              throw new UnavailableException(UnavailableReasons.of(failure));
            })
        .thenCompose(
            rows -> {
              rows.stream()
                  .filter(row -> row.plan() == null)
                  .map(PlanLists::read)
                  .forEach(found::add);
              return rows.isEmpty() || found.size() >= limit
                  ? CompletableFuture.completedStage(found)
                  : ended(found, rows.getLast().id(), limit);
            });
  }

  private static PlanHead read(HistoryRow row) {
    try {
      return PlanHead.of(PlanArchive.read(row, CODEC));
    } catch (IOException e) {
      throw new UnavailableException(
          "plan %s cannot be read from history: %s".formatted(row.id(), e.getMessage()));
    }
  }

  private static PlanPage merged(List<PlanHead> live, List<PlanHead> ended, int limit) {
    var all = new TreeMap<String, PlanHead>(Comparator.reverseOrder());
    live.forEach(plan -> all.put(plan.id().value(), plan));
    ended.forEach(plan -> all.put(plan.id().value(), plan));
    var page = all.values().stream().limit(limit).map(PlanView::overview).toList();
    return new PlanPage(
        page, all.size() > limit ? Optional.of(page.getLast().id().value()) : Optional.empty());
  }
}
