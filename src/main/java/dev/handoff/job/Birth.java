package dev.handoff.job;

import dev.handoff.ledger.Fact;
import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.Ulid;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/// A job that an attempt submits, on its way into the ledger together with the fact of its parent.
record Birth(JobId id, JobFact.Submitted submitted) {

  static Birth of(JobSpec spec, JobId parent, Instant now) {
    var id = new Ulid(ThreadLocalRandom.current()).next(now.toEpochMilli(), parent.partition());
    return new Birth(new JobId(id), new JobFact.Submitted(spec.childOf(parent), now, false));
  }

  /// What the parent remembers of it.
  Child child() {
    var spec = submitted.spec();
    return new Child(id, spec.key(), spec.fingerprint());
  }

  Fact fact(FactCodec codec) {
    return codec.encode(id, submitted);
  }
}
