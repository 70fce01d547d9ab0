package dev.handoff.testing;

import dev.handoff.engine.Facts;
import dev.handoff.job.Archive;
import dev.handoff.job.JobFact;
import dev.handoff.job.JobId;
import dev.handoff.job.JobState;
import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.Fold;
import dev.handoff.ledger.LedgerReader;
import dev.handoff.plan.OpenSet;
import dev.handoff.plan.PlanArchive;
import dev.handoff.plan.PlanFact;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanState;
import dev.handoff.plan.StepStatus;
import dev.handoff.plan.change.BodyCodec;
import dev.handoff.plan.change.Changeset;
import dev.handoff.plan.change.SetBody;
import dev.handoff.store.HistoryQuery;
import dev.handoff.store.HistoryRow;
import dev.handoff.store.Store;
import dev.handoff.store.StoreSettings;
import dev.handoff.store.StoredBlob;
import dev.handoff.store.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// All plans and jobs as a store has them, read without an engine.
///
/// @param bodies of all committed changesets, by hash; without those that are not as they should be
/// @param widest how many steps of a plan were ever released at once, by the ledger; nothing of
///   that is known after a checkpoint
/// @param dropped the changesets that callers had open when a plan ended, by the ledger
/// @param notRunAgain the steps that were to run again and did not, by the ledger: they are what
///   they were before
/// @param facts how many facts of each kind of job and plan the ledger holds
public record StoredPlans(
    Map<PlanId, PlanState> plans,
    Map<JobId, JobState> jobs,
    Map<String, SetBody> bodies,
    Map<PlanId, Integer> widest,
    Map<PlanId, Set<String>> dropped,
    Map<PlanId, Set<String>> notRunAgain,
    Map<String, Integer> facts) {

  private static final int PAGE = 1_000;

  /// Of a store that nobody holds.
  public static StoredPlans of(StoreSettings.Kind kind) {
    var access = StoreSettings.Access.READ;
    try (var store = Stores.open(new StoreSettings(kind, 0, access, "the checkers"))) {
      return of(store);
    }
  }

  public static StoredPlans of(Store store) {
    return of(store, Facts::fold);
  }

  /// @param fold what facts make of states
  public static StoredPlans of(Store store, Fold fold) {
    var reading = new Reading(store, fold);
    reading.live();
    reading.history();
    reading.bodies();
    return new StoredPlans(
        reading.plans,
        reading.jobs,
        reading.bodies,
        reading.widest,
        reading.dropped,
        reading.notRunAgain,
        reading.facts);
  }

  private static final class Reading {

    private final FactCodec codec = Facts.codec();
    private final Map<PlanId, PlanState> plans = new LinkedHashMap<>();
    private final Map<JobId, JobState> jobs = new LinkedHashMap<>();
    private final Map<String, SetBody> bodies = new HashMap<>();
    private final Map<PlanId, Integer> widest = new HashMap<>();
    private final Map<PlanId, Set<String>> dropped = new HashMap<>();
    private final Map<PlanId, Set<String>> notRunAgain = new HashMap<>();
    private final Map<String, Integer> facts = new HashMap<>();
    private final Store store;
    private final Fold fold;

    Reading(Store store, Fold fold) {
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
                      .addAll(plan.book().open().stream().map(OpenSet::id).toList());
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
        widest.merge(plan.id(), plan.steps().count(StepStatus.RELEASED), Math::max);
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
        var rows = Soon.get(store.list(query));
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
            : Archive.read(row, codec);
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
      Map<String, StoredBlob> found = wanted.isEmpty() ? Map.of() : Soon.get(store.blobs(wanted));
      found.forEach(
          (sha256, blob) -> {
            try {
              if (blob.intact()) {
                bodies.put(sha256, BodyCodec.decode(blob.content()));
              }
            } catch (IOException damaged) {
              // It is as good as missing.
            }
          });
    }
  }
}
