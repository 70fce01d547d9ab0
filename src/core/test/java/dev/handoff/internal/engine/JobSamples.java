package dev.handoff.internal.engine;

import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.LedgerNotice;
import dev.handoff.internal.text.Ulid;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// Sample jobs.
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

  /// Facts of one job, as a ledger publishes them.
  static List<LedgerNotice.Folded> published(int count) {
    var job = state(spec());
    var fact = new JobFact.Submitted(job.spec(), NOW, false);
    return java.util.Collections.nCopies(count, new LedgerNotice.Folded(job, fact));
  }
}
