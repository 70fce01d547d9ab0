package dev.handoff.engine;

import dev.handoff.job.JobFact;
import dev.handoff.job.JobId;
import dev.handoff.job.JobOptions;
import dev.handoff.job.JobSpec;
import dev.handoff.job.JobState;
import dev.handoff.job.Json;
import dev.handoff.ledger.LedgerNotice;
import dev.handoff.ledger.Ulid;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// Jobs for tests of the engine.
final class JobSamples {

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private static final Ulid IDS = new Ulid(RandomGenerator.of("L64X128MixRandom"));

  private JobSamples() {}

  static JobId newId(int partition) {
    return new JobId(IDS.next(NOW.toEpochMilli(), partition));
  }

  static JobSpec spec() {
    return JobSpec.of("t", Json.of("1"));
  }

  static JobSpec withKey(String key, int payload) {
    return new JobSpec(
        "t", Json.of("" + payload), JobSpec.DEFAULT_QUEUE, 0, key, null, JobOptions.DEFAULT, null);
  }

  static JobSpec labelled(String name, String value) {
    var options = new JobOptions(null, null, 3, JobOptions.DEFAULT.backoff(), Map.of(name, value));
    return new JobSpec("t", Json.NULL, "q", 0, null, null, options, null);
  }

  static JobState state(JobSpec spec) {
    return JobState.create(newId(0), new JobFact.Submitted(spec, NOW, false));
  }

  /// As many facts of one job as a ledger would publish.
  static List<LedgerNotice.Folded> published(int count) {
    var job = state(spec());
    var fact = new JobFact.Submitted(job.spec(), NOW, false);
    return java.util.Collections.nCopies(count, new LedgerNotice.Folded(job, fact));
  }
}
