package dev.handoff.chaos;

import dev.handoff.store.StoreSettings;
import dev.handoff.testing.StoredPlans;
import java.nio.file.Path;

/// Everything that is left of a chaos run with plans.
record PlanEvidence(Evidence jobs, StoredPlans stored) {

  /// Of a store that nobody holds.
  static PlanEvidence of(Path journal, StoreSettings.Kind store) {
    return new PlanEvidence(Evidence.of(journal, store), StoredPlans.of(store));
  }

  /// Without what the ledger holds of jobs.
  PlanEvidence withoutFacts() {
    return new PlanEvidence(jobs.withoutFacts(), stored);
  }

  /// How often something was seen.
  long count(Journal.What what) {
    return jobs.count(what);
  }

  /// How many facts of a kind the ledger holds, such as `plan Ended`.
  int count(String fact) {
    return stored.facts().getOrDefault(fact, 0);
  }
}
