package dev.handoff.internal.job;

import dev.handoff.JobId;
import dev.handoff.internal.ledger.Fact;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.text.Ulid;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/// New child of an attempt. The child's first fact and the parent's fact are one append.
record NewChild(JobId id, JobFact.Submitted submitted) {

  static NewChild of(JobSpec spec, JobId parent, Instant now) {
    var id = new Ulid(ThreadLocalRandom.current()).next(now.toEpochMilli(), parent.partition());
    return new NewChild(new JobId(id), new JobFact.Submitted(spec.childOf(parent), now, false));
  }

  /// Returns the parent's record of the child.
  ChildJob child() {
    var spec = submitted.spec();
    return new ChildJob(id, spec.key(), spec.fingerprint());
  }

  Fact fact(FactCodec codec) {
    return codec.encode(id, submitted);
  }
}
