package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.dispatch.worker.PoolBench;
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
  void isIgnoredByADispatcher() {
    var dispatcher = new DispatcherBench(actors);

    dispatcher.actor().unsafeUpcast().tell("foreign");

    assertThat(dispatcher.load().queues()).isEmpty();
  }

  @Test
  void isIgnoredByAPool() {
    pool.pool.unsafeUpcast().tell("foreign");

    assertThat(pool.credit()).isNotNull();
  }

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
