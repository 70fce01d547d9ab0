package dev.handoff.chaos;

import dev.handoff.HandoffReader;
import dev.handoff.JobStates;
import dev.handoff.engine.Facts;
import dev.handoff.job.EndCause;
import dev.handoff.job.JobFact;
import dev.handoff.job.JobId;
import dev.handoff.job.JobState;
import dev.handoff.ledger.LedgerReader;
import dev.handoff.store.StoreSettings;
import dev.handoff.store.Stores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Everything that is left of a chaos run: what clients and handlers have seen, what the ledger
/// holds, and what the store says of each job.
///
/// @param facts of each job, in the order of the ledger; not all of them after a checkpoint
record Evidence(
    List<Journal.Line> journal, Map<JobId, List<JobFact>> facts, Map<JobId, JobState> jobs) {

  /// Of a store that nobody holds.
  static Evidence of(Path journal, StoreSettings.Kind store) {
    return new Evidence(Journal.read(journal), facts(store), jobs(store));
  }

  /// Without what the ledger holds.
  Evidence withoutFacts() {
    return new Evidence(journal, Map.of(), jobs);
  }

  private static Map<JobId, List<JobFact>> facts(StoreSettings.Kind kind) {
    var facts = new LinkedHashMap<JobId, List<JobFact>>();
    var access = StoreSettings.Access.READ;
    try (var store = Stores.open(new StoreSettings(kind, 0, access, "the checkers"))) {
      var reader =
          new LedgerReader(
              store,
              Facts.codec(),
              (live, entity, event) -> {
                if (event instanceof JobFact fact) {
                  facts.computeIfAbsent(new JobId(entity), none -> new ArrayList<>()).add(fact);
                }
                return Facts.fold(live, entity, event);
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

  /// How often something was seen.
  long count(Journal.What what) {
    return journal.stream().filter(line -> line.what() == what).count();
  }

  /// How many facts of a kind the ledger holds.
  long count(Class<? extends JobFact> kind) {
    return facts.values().stream().flatMap(List::stream).filter(kind::isInstance).count();
  }

  /// How many attempts ended for a cause.
  long count(EndCause cause) {
    return jobs.values().stream()
        .flatMap(job -> job.trail().attempts().stream())
        .filter(attempt -> attempt.cause() == cause)
        .count();
  }
}
