package dev.handoff;

import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.engine.JobQuery;
import dev.handoff.internal.job.JobArchive;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.LedgerReader;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreOpener;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.PlanId;
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

/// Read-only access to a store that no engine has open. The reader recovers the state in memory; it
/// runs no jobs and writes nothing. For tools: its methods block, and it is not thread-safe. Every
/// method throws [StoreException] if the store cannot be read. Methods about changes throw a
/// [dev.handoff.plan.UnreadableChanges] if changes are missing or damaged.
public final class HandoffReader implements AutoCloseable {

  /// Maximum number of jobs or plans in one page.
  public static final int MAX_LIMIT = 10_000;

  private static final Comparator<JobState> NEWEST_FIRST =
      Comparator.comparing((JobState job) -> job.id().value()).reversed();

  private final Store store;
  private final FactCodec codec = FactFolding.codec();
  private final LedgerReader ledger;
  private final Map<Integer, Map<String, EntityState>> live = new HashMap<>();
  private final StoredPlans plans;

  private HandoffReader(Store store) {
    this.store = store;
    this.ledger = new LedgerReader(store, codec, FactFolding::fold);
    this.plans = new StoredPlans(store, codec, id -> live(id, PlanState.class), this::job);
  }

  /// Opens a store for reading.
  ///
  /// @throws StoreException.Held if an engine has the store open; the message names the engine
  /// @throws StoreException.Missing if the store does not exist
  public static HandoffReader open(StoreSettings.Kind kind) {
    Objects.requireNonNull(kind, "kind");
    var owner = "a reader, pid " + ProcessHandle.current().pid();
    return new HandoffReader(
        StoreOpener.open(new StoreSettings(kind, 0, StoreSettings.Access.READ, owner)));
  }

  public StoreInfo info() {
    return store.info();
  }

  /// Job as stored.
  public Optional<JobInfo> job(JobId id) {
    Objects.requireNonNull(id, "id");
    return state(id).map(HandoffReader::seen);
  }

  Optional<JobState> state(JobId id) {
    return await(store.find(id.value()))
        .filter(row -> row.kind().equals(JobArchive.KIND))
        .map(this::archived)
        .or(() -> live(id, JobState.class));
  }

  /// One page of jobs, live and ended, newest first.
  ///
  /// @param after cursor of the previous page: the id of its last job
  /// @param limit 1 to 10,000
  /// @throws InvalidRequestException if the filter is invalid
  public JobPage jobs(JobFilter filter, Optional<String> after, int limit) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(after, "after");
    checkLimit(limit);
    SubmissionRules.checkFilter(filter);
    var before = after.map(JobId::new).map(JobId::value).orElse(null);
    var query = filter.query(before, limit + 1);
    var found = new ArrayList<>(liveJobs(query));
    found.addAll(ended(query));
    found.sort(NEWEST_FIRST);
    var page = found.stream().limit(limit).map(HandoffReader::seen).toList();
    return new JobPage(
        page, found.size() > limit ? Optional.of(page.getLast().id().value()) : Optional.empty());
  }

  /// Plan as stored, with its steps.
  public Optional<PlanInfo> plan(PlanId id) {
    Objects.requireNonNull(id, "id");
    return plans.info(id);
  }

  /// One page of plans, live and ended, newest first. Child plans appear only inside their parent.
  ///
  /// @param status only plans with this status; empty for all
  /// @param after cursor of the previous page: the id of its last plan
  /// @param limit 1 to 10,000
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

  /// Combined diff of all committed changesets of a plan; for a child plan, the diff of its own
  /// steps. Empty if the plan does not exist.
  public Optional<PlanDiff> diff(PlanId plan) {
    Objects.requireNonNull(plan, "plan");
    return plans.read(plan, (asked, changes) -> changes.diffOf(asked));
  }

  /// Diff of one changeset; empty if the plan or the changeset does not exist.
  public Optional<PlanDiff> diff(PlanId plan, String changeset) {
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(changeset, "changeset");
    return plans.read(plan, (asked, changes) -> changes.diff(changeset)).flatMap(found -> found);
  }

  /// Diff of the changes that one step made; empty if the plan does not exist.
  ///
  /// @param step name of the step; in a child plan, the path of step names from this plan,
  ///   separated by `/`
  /// @throws PlanStepNotFoundException if the plan has no such step
  public Optional<PlanDiff> diffOfStep(PlanId plan, String step) {
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(step, "step");
    return plans.diffOfStep(plan, step);
  }

  /// Unresolved conflicts: contradicting changes without a decision; empty if the plan does not
  /// exist.
  public Optional<List<PlanConflict>> conflicts(PlanId plan) {
    Objects.requireNonNull(plan, "plan");
    return plans.read(plan, (asked, changes) -> changes.conflicts());
  }

  /// Integrity of everything that was committed, to the last byte; empty if the plan does not
  /// exist.
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
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }
}
