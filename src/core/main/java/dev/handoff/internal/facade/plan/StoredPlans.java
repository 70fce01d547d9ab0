package dev.handoff.internal.facade.plan;

import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.StoreException;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.plan.PlanArchive;
import dev.handoff.internal.plan.PlanHead;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.change.StoreContents;
import dev.handoff.internal.store.HistoryQuery;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.Store;
import dev.handoff.plan.PlanDiff;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanNotFoundException;
import dev.handoff.plan.PlanPage;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.PlanStepNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Plans in a store that no engine has open.
///
/// @param live look-up of live plans; empty if the plan is not live
/// @param jobs look-up of live and ended jobs
record StoredPlans(
    Store store,
    FactCodec codec,
    Function<PlanId, Optional<PlanState>> live,
    Function<JobId, Optional<JobInfo>> jobs)
    implements PlanSnapshots.Source {

  private static final int ROWS = 1_000;

  @Override
  public CompletionStage<Optional<PlanState>> plan(PlanId id) {
    return CompletableFuture.completedStage(state(id));
  }

  @Override
  public CompletionStage<Optional<JobInfo>> job(JobId id) {
    return CompletableFuture.completedStage(jobs.apply(id));
  }

  /// Snapshot of a plan with its steps; empty if the plan does not exist.
  Optional<PlanInfo> info(PlanId id) {
    return StoreReader.await(new PlanSnapshots(this, false).at(id));
  }

  /// One page of topmost plans, newest first.
  PlanPage page(
      List<PlanState> live, Optional<PlanStatus> status, Optional<PlanId> after, int limit) {
    var before = after.map(PlanId::value).orElse(null);
    var found = new TreeMap<String, PlanHead>(Comparator.reverseOrder());
    live.stream()
        .filter(plan -> plan.spec().isRoot() && !plan.ended())
        .filter(plan -> status.isEmpty() || plan.status() == status.get())
        .filter(plan -> before == null || plan.id().value().compareTo(before) < 0)
        .forEach(plan -> found.put(plan.id().value(), PlanHead.of(plan)));
    ended(status, before, limit + 1)
        .forEach(plan -> found.putIfAbsent(plan.id().value(), PlanHead.of(plan)));
    var page = found.values().stream().limit(limit).map(PlanView::overview).toList();
    return new PlanPage(
        page, found.size() > limit ? Optional.of(page.getLast().id().value()) : Optional.empty());
  }

  /// Ended topmost plans; rows of child plans are skipped.
  private List<PlanState> ended(Optional<PlanStatus> status, @Nullable String before, int limit) {
    var plans = new ArrayList<PlanState>();
    if (status.isPresent() && !status.get().isTerminal()) {
      return plans;
    }
    var label = status.map(PlanArchive::status).orElse(null);
    var cursor = before;
    while (plans.size() < limit) {
      var query = new HistoryQuery(PlanArchive.KIND, label, null, null, null, null, cursor, ROWS);
      var rows = StoreReader.await(store.list(query));
      if (rows.isEmpty()) {
        break;
      }
      rows.stream().filter(row -> row.plan() == null).map(this::archived).forEach(plans::add);
      cursor = rows.getLast().id();
    }
    return plans;
  }

  /// Reads a view of a plan's changes; empty if the plan does not exist.
  ///
  /// @param read receives the requested plan, and the changes of the topmost plan
  <T> Optional<T> read(PlanId id, PlanChangeQuery.Reading<T> read) {
    return state(id).map(asked -> read.of(asked, reading(asked)));
  }

  /// Diff of the changes that one step made; empty if the plan does not exist.
  ///
  /// @throws PlanStepNotFoundException if the plan has no such step
  Optional<PlanDiff> diffOfStep(PlanId id, String step) {
    return state(id)
        .map(
            asked -> {
              var path = StoreReader.await(new PlanStepSearch(this::plan, asked, step).start());
              return reading(asked).diffOfStep(path);
            });
  }

  private PlanChangeViews reading(PlanState asked) {
    var origin = asked.spec().origin();
    var root =
        origin == null
            ? asked
            : state(origin.root()).orElseThrow(() -> new PlanNotFoundException(origin.root()));
    return new PlanChangeViews(root, new StoreContents(store));
  }

  private Optional<PlanState> state(PlanId id) {
    return StoreReader.await(store.find(id.value()))
        .filter(row -> row.kind().equals(PlanArchive.KIND))
        .map(this::archived)
        .or(() -> live.apply(id));
  }

  private PlanState archived(HistoryRow row) {
    try {
      return PlanArchive.read(row, codec);
    } catch (IOException | RuntimeException damaged) {
      throw new StoreException.Unreadable(
          "history of plan " + row.id() + ": " + damaged.getMessage(), damaged);
    }
  }
}
