package dev.handoff.internal.facade.plan;

import dev.handoff.EntityId;
import dev.handoff.HandoffReader;
import dev.handoff.JobFilter;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobPage;
import dev.handoff.StoreException;
import dev.handoff.StoreInfo;
import dev.handoff.StoreSettings;
import dev.handoff.internal.ask.StageFailures;
import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.engine.JobQuery;
import dev.handoff.internal.facade.JobLists;
import dev.handoff.internal.facade.JobView;
import dev.handoff.internal.facade.SubmissionRules;
import dev.handoff.internal.job.JobArchive;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.LedgerReader;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.PlanDiff;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanPage;
import dev.handoff.plan.PlanStatus;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/// Reader of a store: recovers the state in memory.
public final class StoreReader implements HandoffReader {

  private static final Comparator<JobState> NEWEST_FIRST =
      Comparator.comparing((JobState job) -> job.id().value()).reversed();

  private final Store store;

  private final FactCodec codec = FactFolding.codec();

  private final LedgerReader ledger;

  private final Map<Integer, Map<String, EntityState>> live = new HashMap<>();

  private final StoredPlans plans;

  public static StoreReader open(StoreSettings.Kind kind) {
    Objects.requireNonNull(kind, "kind");
    var owner = "a reader, pid " + ProcessHandle.current().pid();
    return new StoreReader(
        StoreOpener.open(new StoreSettings(kind, 0, StoreSettings.Access.READ, owner)));
  }

  private StoreReader(Store store) {
    this.store = store;
    this.ledger = new LedgerReader(store, codec, FactFolding::fold);
    this.plans = new StoredPlans(store, codec, id -> live(id, PlanState.class), this::job);
  }

  @Override
  public StoreInfo info() {
    return store.info();
  }

  @Override
  public Optional<JobInfo> job(JobId id) {
    Objects.requireNonNull(id, "id");
    return state(id).map(StoreReader::seen);
  }

  /// Stored state of a job.
  public Optional<JobState> state(JobId id) {
    return await(store.find(id.value()))
        .filter(row -> row.kind().equals(JobArchive.KIND))
        .map(this::archived)
        .or(() -> live(id, JobState.class));
  }

  @Override
  public JobPage jobs(JobFilter filter, Optional<String> after, int limit) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(after, "after");
    checkLimit(limit);
    SubmissionRules.checkFilter(filter);
    var before = after.map(JobId::new).map(JobId::value).orElse(null);
    var query = JobLists.query(filter, before, limit + 1);
    var found = new ArrayList<>(liveJobs(query));
    found.addAll(ended(query));
    found.sort(NEWEST_FIRST);
    var page = found.stream().limit(limit).map(StoreReader::seen).toList();
    return new JobPage(
        page, found.size() > limit ? Optional.of(page.getLast().id().value()) : Optional.empty());
  }

  @Override
  public Optional<PlanInfo> plan(PlanId id) {
    Objects.requireNonNull(id, "id");
    return plans.info(id);
  }

  @Override
  public PlanPage plans(Optional<PlanStatus> status, Optional<PlanId> after, int limit) {
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(after, "after");
    checkLimit(limit);
    return plans.page(livePlans(), status, after, limit);
  }

  private List<PlanState> livePlans() {
    return IntStream.range(0, store.info().partitions())
        .boxed()
        .flatMap(partition -> live(partition).values().stream())
        .filter(PlanState.class::isInstance)
        .map(PlanState.class::cast)
        .toList();
  }

  private static void checkLimit(int limit) {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException(
          "limit must be 1 to %d, was %d".formatted(MAX_LIMIT, limit));
    }
  }

  @Override
  public Optional<PlanDiff> diff(PlanId plan) {
    Objects.requireNonNull(plan, "plan");
    return plans.read(plan, (asked, changes) -> changes.diffOf(asked));
  }

  @Override
  public Optional<PlanDiff> diff(PlanId plan, String changeset) {
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(changeset, "changeset");
    return plans.read(plan, (asked, changes) -> changes.diff(changeset)).flatMap(found -> found);
  }

  @Override
  public Optional<PlanDiff> diffOfStep(PlanId plan, String step) {
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(step, "step");
    return plans.diffOfStep(plan, step);
  }

  @Override
  public Optional<List<PlanConflict>> conflicts(PlanId plan) {
    Objects.requireNonNull(plan, "plan");
    return plans.read(plan, (asked, changes) -> changes.conflicts());
  }

  @Override
  public Optional<ChainVerdict> verify(PlanId plan) {
    Objects.requireNonNull(plan, "plan");
    return plans.read(plan, (asked, changes) -> changes.verify());
  }

  @Override
  public void close() {
    store.close();
  }

  private List<JobState> liveJobs(JobQuery query) {
    if (query.status() != null && query.status().isTerminal()) {
      return List.of();
    }
    var now = Instant.now();
    var jobs = new ArrayList<JobState>();
    for (int partition = 0; partition < store.info().partitions(); partition++) {
      for (var state : live(partition).values()) {
        if (state instanceof JobState job && query.matches(job, now)) {
          jobs.add(job);
        }
      }
    }
    jobs.sort(NEWEST_FIRST);
    return jobs.subList(0, Math.min(jobs.size(), query.limit()));
  }

  /// A page of the store may be shorter than its limit when jobs are large: only an empty page is
  /// the end.
  private List<JobState> ended(JobQuery query) {
    var jobs = new ArrayList<JobState>();
    if (query.status() != null && !query.status().isTerminal()) {
      return jobs;
    }
    var before = query.before();
    while (jobs.size() < query.limit()) {
      int left = Math.min(query.limit() - jobs.size(), MAX_LIMIT);
      var rows = await(store.list(JobLists.history(query, before, left)));
      if (rows.isEmpty()) {
        break;
      }
      rows.forEach(row -> jobs.add(archived(row)));
      before = rows.getLast().id();
    }
    return jobs;
  }

  private <T extends EntityState> Optional<T> live(EntityId id, Class<T> kind) {
    return Optional.ofNullable(live(id.partition()).get(id.value()))
        .filter(kind::isInstance)
        .map(kind::cast);
  }

  private Map<String, EntityState> live(int partition) {
    if (partition >= store.info().partitions()) {
      return Map.of();
    }
    return live.computeIfAbsent(
        partition,
        number -> {
          var states = new HashMap<String, EntityState>();
          ledger.read(number).forEach(state -> states.put(state.id().value(), state));
          return states;
        });
  }

  private JobState archived(HistoryRow row) {
    try {
      return JobArchive.read(row, codec);
    } catch (IOException | RuntimeException damaged) {
      throw new StoreException.Unreadable(
          "history of job " + row.id() + ": " + damaged.getMessage(), damaged);
    }
  }

  private static JobInfo seen(JobState state) {
    return JobView.of(state, Instant.now());
  }

  static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw StageFailures.cause(failed) instanceof RuntimeException cause ? cause : failed;
    }
  }
}
