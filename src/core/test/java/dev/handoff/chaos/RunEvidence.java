package dev.handoff.chaos;

import dev.handoff.HandoffReader;
import dev.handoff.JobId;
import dev.handoff.StoreSettings;
import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.LedgerReader;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.testing.JobStates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Evidence of a chaos run: the journal of clients and handlers, the facts in the ledger, and the
/// store's state of each job.
///
/// @param facts facts of each job in ledger order; incomplete after a checkpoint
record RunEvidence(
    List<ClientJournal.Line> journal, Map<JobId, List<JobFact>> facts, Map<JobId, JobState> jobs) {

  /// Reads a store that no engine holds.
  static RunEvidence of(Path journal, StoreSettings.Kind store) {
    return new RunEvidence(ClientJournal.read(journal), facts(store), jobs(store));
  }

  /// Evidence without the facts of the ledger.
  RunEvidence withoutFacts() {
    return new RunEvidence(journal, Map.of(), jobs);
  }

  private static Map<JobId, List<JobFact>> facts(StoreSettings.Kind kind) {
    var facts = new LinkedHashMap<JobId, List<JobFact>>();
    var access = StoreSettings.Access.READ;
    try (var store = StoreOpener.open(new StoreSettings(kind, 0, access, "the checkers"))) {
      var reader =
          new LedgerReader(
              store,
              FactFolding.codec(),
              (live, entity, event) -> {
                if (event instanceof JobFact fact) {
                  facts.computeIfAbsent(new JobId(entity), none -> new ArrayList<>()).add(fact);
                }
                return FactFolding.fold(live, entity, event);
              });
      for (int partition = 0; partition < store.info().partitions(); partition++) {
        reader.read(partition);
      }
    }
    return facts;
  }

  private static Map<JobId, JobState> jobs(StoreSettings.Kind kind) {
    try (var reader = HandoffReader.open(kind)) {
      return JobStates.of(reader);
    }
  }

  /// Number of journal lines of a kind.
  long count(ClientJournal.What what) {
    return journal.stream().filter(line -> line.what() == what).count();
  }

  /// Number of facts of a kind in the ledger.
  long count(Class<? extends JobFact> kind) {
    return facts.values().stream().flatMap(List::stream).filter(kind::isInstance).count();
  }

  /// Number of attempts with this end cause.
  long count(EndCause cause) {
    return jobs.values().stream()
        .flatMap(job -> job.trail().attempts().stream())
        .filter(attempt -> attempt.cause() == cause)
        .count();
  }
}
