package dev.handoff.testing;

import dev.handoff.JobId;
import dev.handoff.StoreSettings;
import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.job.JobArchive;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.LedgerReader;
import dev.handoff.internal.ledger.StateFold;
import dev.handoff.internal.plan.OpenChangeset;
import dev.handoff.internal.plan.PlanArchive;
import dev.handoff.internal.plan.PlanFact;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.change.BodyCodec;
import dev.handoff.internal.plan.change.Changeset;
import dev.handoff.internal.plan.change.SetBody;
import dev.handoff.internal.store.HistoryQuery;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoredBlob;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// All plans and jobs of a store, read without an engine.
///
/// @param bodies bodies of all committed changesets, by hash; without damaged ones
/// @param widest maximum number of a plan's steps released at once, according to the ledger; facts
///   before a checkpoint are not counted
/// @param dropped open changesets of callers at the end of a plan, according to the ledger
/// @param notRunAgain steps that a retry dropped, according to the ledger: they keep their earlier
///   state
/// @param facts number of job and plan facts in the ledger, by kind
public record PlanStoreSamples(
    Map<PlanId, PlanState> plans,
    Map<JobId, JobState> jobs,
    Map<String, SetBody> bodies,
    Map<PlanId, Integer> widest,
    Map<PlanId, Set<String>> dropped,
    Map<PlanId, Set<String>> notRunAgain,
    Map<String, Integer> facts) {

  private static final int PAGE = 1_000;

  /// Reads a store that no engine holds.
  public static PlanStoreSamples of(StoreSettings.Kind kind) {
    var access = StoreSettings.Access.READ;
    try (var store = StoreOpener.open(new StoreSettings(kind, 0, access, "the checkers"))) {
      return of(store);
    }
  }

  public static PlanStoreSamples of(Store store) {
    return of(store, FactFolding::fold);
  }

  /// @param fold fold from facts to states
  public static PlanStoreSamples of(Store store, StateFold fold) {
    var reading = new Reading(store, fold);
    reading.live();
    reading.history();
    reading.bodies();
    return new PlanStoreSamples(
        reading.plans,
        reading.jobs,
        reading.bodies,
        reading.widest,
        reading.dropped,
        reading.notRunAgain,
        reading.facts);
  }

  private static final class Reading {

    private final FactCodec codec = FactFolding.codec();
    private final Map<PlanId, PlanState> plans = new LinkedHashMap<>();
    private final Map<JobId, JobState> jobs = new LinkedHashMap<>();
    private final Map<String, SetBody> bodies = new HashMap<>();
    private final Map<PlanId, Integer> widest = new HashMap<>();
    private final Map<PlanId, Set<String>> dropped = new HashMap<>();
    private final Map<PlanId, Set<String>> notRunAgain = new HashMap<>();
    private final Map<String, Integer> facts = new HashMap<>();
    private final Store store;
    private final StateFold fold;

    Reading(Store store, StateFold fold) {
      this.store = store;
      this.fold = fold;
    }

    private void live() {
      var reader =
          new LedgerReader(
              store,
              codec,
              (live, entity, event) -> {
                var kind = event instanceof JobFact ? "job " : "plan ";
                facts.merge(kind + event.getClass().getSimpleName(), 1, Integer::sum);
                if (event instanceof PlanFact.Ended && live.get(entity) instanceof PlanState plan) {
                  dropped
                      .computeIfAbsent(plan.id(), none -> new HashSet<>())
                      .addAll(plan.book().open().stream().map(OpenChangeset::id).toList());
                }
                if (event instanceof PlanFact.StepDropped(var step, var reason, var at)) {
                  notRunAgain
                      .computeIfAbsent(new PlanId(entity), none -> new HashSet<>())
                      .add(step);
                }
                var states = fold.fold(live, entity, event);
                states.forEach(this::measure);
                return states;
              });
      for (int partition = 0; partition < store.info().partitions(); partition++) {
        reader.read(partition).forEach(this::add);
      }
    }

    private void measure(EntityState state) {
      if (state instanceof PlanState plan) {
        widest.merge(plan.id(), plan.steps().count(PlanInfo.StepStatus.RELEASED), Math::max);
      }
    }

    private void add(EntityState state) {
      if (state instanceof PlanState plan) {
        plans.put(plan.id(), plan);
      } else if (state instanceof JobState job) {
        jobs.put(job.id(), job);
      }
    }

    private void history() {
      String before = null;
      while (true) {
        var query = new HistoryQuery(null, null, null, null, null, null, before, PAGE);
        var rows = BoundedWaits.get(store.list(query));
        if (rows.isEmpty()) {
          return;
        }
        rows.forEach(row -> add(ended(row)));
        before = rows.getLast().id();
      }
    }

    private EntityState ended(HistoryRow row) {
      try {
        return row.kind().equals(PlanArchive.KIND)
            ? PlanArchive.read(row, codec)
            : JobArchive.read(row, codec);
      } catch (IOException damaged) {
        throw new UncheckedIOException(damaged);
      }
    }

    private void bodies() {
      var wanted = new HashSet<String>();
      plans.values().stream()
          .flatMap(plan -> plan.book().chain().stream())
          .map(Changeset::body)
          .forEach(wanted::add);
      read(wanted);
    }

    private void read(Collection<String> wanted) {
      Map<String, StoredBlob> found =
          wanted.isEmpty() ? Map.of() : BoundedWaits.get(store.blobs(wanted));
      found.forEach(
          (sha256, blob) -> {
            try {
              if (blob.intact()) {
                bodies.put(sha256, BodyCodec.decode(blob.content()));
              }
            } catch (IOException damaged) {
              // Damaged: treated as missing.
            }
          });
    }
  }
}
