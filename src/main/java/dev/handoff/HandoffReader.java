package dev.handoff;

import dev.handoff.engine.Facts;
import dev.handoff.engine.JobQuery;
import dev.handoff.job.Archive;
import dev.handoff.job.JobId;
import dev.handoff.job.JobState;
import dev.handoff.ledger.EntityId;
import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.LedgerReader;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanState;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.change.Verdict;
import dev.handoff.store.HistoryRow;
import dev.handoff.store.Store;
import dev.handoff.store.StoreException;
import dev.handoff.store.StoreInfo;
import dev.handoff.store.StoreSettings;
import dev.handoff.store.Stores;
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

/// Looks into a store that no engine has open: reads it back, and starts and writes nothing. For
/// tools; blocks, and is not thread-safe. Every method throws [StoreException] when the store
/// cannot be read, and those about changes a [dev.handoff.plan.change.UnreadableChanges] when some
/// of them are missing or damaged.
public final class HandoffReader implements AutoCloseable {

  /// As many jobs or plans as one page can have.
  public static final int MAX_LIMIT = 10_000;

  private static final Comparator<JobState> NEWEST_FIRST =
      Comparator.comparing((JobState job) -> job.id().value()).reversed();

  private final Store store;
  private final FactCodec codec = Facts.codec();
  private final LedgerReader ledger;
  private final Map<Integer, Map<String, EntityState>> live = new HashMap<>();
  private final StoredPlans plans;

  private HandoffReader(Store store) {
    this.store = store;
    this.ledger = new LedgerReader(store, codec, Facts::fold);
    this.plans = new StoredPlans(store, codec, id -> live(id, PlanState.class), this::job);
  }

  /// Opens a store to look into it.
  ///
  /// @throws StoreException.Held if an engine has it open, naming it
  /// @throws StoreException.Missing if there is none
  public static HandoffReader open(StoreSettings.Kind kind) {
    Objects.requireNonNull(kind, "kind");
    var owner = "a reader, pid " + ProcessHandle.current().pid();
    return new HandoffReader(
        Stores.open(new StoreSettings(kind, 0, StoreSettings.Access.READ, owner)));
  }

  public StoreInfo info() {
    return store.info();
  }

  /// The job as it stands in the store.
  public Optional<JobInfo> job(JobId id) {
    Objects.requireNonNull(id, "id");
    return state(id).map(HandoffReader::seen);
  }

  Optional<JobState> state(JobId id) {
    return await(store.find(id.value()))
        .filter(row -> row.kind().equals(Archive.KIND))
        .map(this::archived)
        .or(() -> live(id, JobState.class));
  }

  /// A page of jobs, live and ended ones, newest first.
  ///
  /// @param after the cursor of the page before: the id of its last job
  /// @param limit 1 to 10,000
  /// @throws InvalidRequestException if the filter is not what it should be
  public JobPage jobs(JobFilter filter, Optional<String> after, int limit) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(after, "after");
    checkLimit(limit);
    Rules.checkFilter(filter);
    var before = after.map(JobId::new).map(JobId::value).orElse(null);
    var query = filter.query(before, limit + 1);
    var found = new ArrayList<>(liveJobs(query));
    found.addAll(ended(query));
    found.sort(NEWEST_FIRST);
    var page = found.stream().limit(limit).map(HandoffReader::seen).toList();
    return new JobPage(
        page, found.size() > limit ? Optional.of(page.getLast().id().value()) : Optional.empty());
  }

  /// The plan as it stands in the store, with everything in it.
  public Optional<PlanInfo> plan(PlanId id) {
    Objects.requireNonNull(id, "id");
    return plans.info(id);
  }

  /// A page of plans, live and ended ones, newest first; those that are a step of another one are
  /// shown there.
  ///
  /// @param status only those that are this; empty for all
  /// @param after the cursor of the page before: the id of its last plan
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

  /// What all committed changesets of a plan come to; of a plan that is a step, what its own steps
  /// have changed. Empty if there is no such plan.
  public Optional<PlanDiff> diff(PlanId plan) {
    Objects.requireNonNull(plan, "plan");
    return plans.read(plan, (asked, changes) -> changes.diffOf(asked));
  }

  /// What one changeset comes to; empty if there is no such plan or changeset.
  public Optional<PlanDiff> diff(PlanId plan, String changeset) {
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(changeset, "changeset");
    return plans.read(plan, (asked, changes) -> changes.diff(changeset)).flatMap(found -> found);
  }

  /// What one step has changed; empty if there is no such plan.
  ///
  /// @param step its name; in a child plan, with the names of the steps above it before it, and `/`
  ///   between them
  /// @throws PlanStepNotFoundException if the plan has no such step
  public Optional<PlanDiff> diffOfStep(PlanId plan, String step) {
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(step, "step");
    return plans.diffOfStep(plan, step);
  }

  /// The changes that contradict each other and that nobody has decided about; empty if there is no
  /// such plan.
  public Optional<List<PlanConflict>> conflicts(PlanId plan) {
    Objects.requireNonNull(plan, "plan");
    return plans.read(plan, (asked, changes) -> changes.conflicts());
  }

  /// Whether everything that was committed is as it was, to the last byte; empty if there is no
  /// such plan.
  public Optional<Verdict> verify(PlanId plan) {
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

  /// A page of the store may be shorter than asked for, when its jobs are large: only an empty one
  /// is the end.
  private List<JobState> ended(JobQuery query) {
    var jobs = new ArrayList<JobState>();
    if (query.status() != null && !query.status().isTerminal()) {
      return jobs;
    }
    var before = query.before();
    while (jobs.size() < query.limit()) {
      int left = Math.min(query.limit() - jobs.size(), MAX_LIMIT);
      var rows = await(store.list(Lists.history(query, before, left)));
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
      return Archive.read(row, codec);
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
