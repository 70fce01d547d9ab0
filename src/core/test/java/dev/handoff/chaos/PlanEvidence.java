package dev.handoff.chaos;

import dev.handoff.StoreSettings;
import dev.handoff.testing.PlanStoreSamples;
import java.nio.file.Path;

/// Evidence of a chaos run with plans.
record PlanEvidence(RunEvidence jobs, PlanStoreSamples stored) {

  /// Reads a store that no engine holds.
  static PlanEvidence of(Path journal, StoreSettings.Kind store) {
    return new PlanEvidence(RunEvidence.of(journal, store), PlanStoreSamples.of(store));
  }

  /// Evidence without the job facts of the ledger.
  PlanEvidence withoutFacts() {
    return new PlanEvidence(jobs.withoutFacts(), stored);
  }

  /// Number of journal lines of a kind.
  long count(ClientJournal.What what) {
    return jobs.count(what);
  }

  /// Number of facts of a kind in the ledger, such as `plan Ended`.
  int count(String fact) {
    return stored.facts().getOrDefault(fact, 0);
  }
}
