package dev.handoff.internal.dispatch;

import dev.handoff.testing.TestActors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Any node can send such messages over the network.
@DisplayName("A message of a kind that is not for it")
class ForeignMessageTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final PoolBench pool = new PoolBench(actors, false, 2);

  @Test
  void isIgnoredByAWorker() {
    var job = pool.job("held");
    var credit = pool.credit();

    credit.worker().<Object>unsafeUpcast().tell("foreign");

    job.runs(credit);
    pool.code.next().ends();
    job.records();
  }
}
