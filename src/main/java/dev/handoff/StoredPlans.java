package dev.handoff;

import dev.handoff.job.JobId;
import dev.handoff.ledger.FactCodec;
import dev.handoff.plan.PlanArchive;
import dev.handoff.plan.PlanHead;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanState;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.change.StoreContents;
import dev.handoff.store.HistoryQuery;
import dev.handoff.store.HistoryRow;
import dev.handoff.store.Store;
import dev.handoff.store.StoreException;
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

/// The plans of a store that no engine has open.
///
/// @param live the live plan of an id; empty if it is not live
/// @param jobs the job of an id, live or not
record StoredPlans(
    Store store,
    FactCodec codec,
    Function<PlanId, Optional<PlanState>> live,
    Function<JobId, Optional<JobInfo>> jobs)
    implements PlanLook.Source {

  private static final int ROWS = 1_000;

  @Override
  public CompletionStage<Optional<PlanState>> plan(PlanId id) {
    return CompletableFuture.completedStage(state(id));
  }

  @Override
  public CompletionStage<Optional<JobInfo>> job(JobId id) {
    return CompletableFuture.completedStage(jobs.apply(id));
  }

  /// The plan with everything in it; empty if there is none.
  Optional<PlanInfo> info(PlanId id) {
    return HandoffReader.await(new PlanLook(this, false).at(id));
  }

  /// A page of those that are no steps, newest first.
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
    var page = found.values().stream().limit(limit).map(PlanOverview::of).toList();
    return new PlanPage(
        page, found.size() > limit ? Optional.of(page.getLast().id().value()) : Optional.empty());
  }

  /// The rows of child plans are in between.
  private List<PlanState> ended(Optional<PlanStatus> status, @Nullable String before, int limit) {
    var plans = new ArrayList<PlanState>();
    if (status.isPresent() && !status.get().isTerminal()) {
      return plans;
    }
    var label = status.map(PlanArchive::status).orElse(null);
    var cursor = before;
    while (plans.size() < limit) {
      var query = new HistoryQuery(PlanArchive.KIND, label, null, null, null, null, cursor, ROWS);
      var rows = HandoffReader.await(store.list(query));
      if (rows.isEmpty()) {
        break;
      }
      rows.stream().filter(row -> row.plan() == null).map(this::archived).forEach(plans::add);
      cursor = rows.getLast().id();
    }
    return plans;
  }

  /// Reads something of the changes of a plan; empty if there is none.
  ///
  /// @param read given the plan that was asked for, and the changes of the plan at the top
  <T> Optional<T> read(PlanId id, PlanReader.Reading<T> read) {
    return state(id).map(asked -> read.of(asked, reading(asked)));
  }

  /// What one step has changed; empty if there is no such plan.
  ///
  /// @throws PlanStepNotFoundException if the plan has no such step
  Optional<PlanDiff> diffOfStep(PlanId id, String step) {
    return state(id)
        .map(
            asked -> {
              var path = HandoffReader.await(new PlanStepSearch(this::plan, asked, step).start());
              return reading(asked).diffOfStep(path);
            });
  }

  private PlanReading reading(PlanState asked) {
    var origin = asked.spec().origin();
    var root =
        origin == null
            ? asked
            : state(origin.root()).orElseThrow(() -> new PlanNotFoundException(origin.root()));
    return new PlanReading(root, new StoreContents(store));
  }

  private Optional<PlanState> state(PlanId id) {
    return HandoffReader.await(store.find(id.value()))
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
