package dev.handoff.internal.dispatch.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.PoolMessage;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.dispatch.worker.PoolBench;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A worker pool that lends idle workers")
class LendingPoolTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private static final int OTHER = 2;

  private final PoolBench bench = new PoolBench(actors, false, 4);

  @Test
  void saysHowManyItLendsAndLendsNoMoreThanHalfOfItsWorkers() {
    assertThat(bench.said(PoolMessage.Register.class, any -> true).lends()).isEqualTo(2);

    bench.says(0, 4, 0, 0);

    assertThat(bench.credited().number()).isEqualTo(1);
    assertThat(bench.credited().number()).isEqualTo(2);
    bench.load();
    bench.dispatcher.expectNoMessage(Duration.ofMillis(1));
  }

  @Test
  void countsWhatIsAtHandAsIdle() {
    bench.says(0, 2, 0, 0);
    bench.credited();
    bench.credited();
    assertThat(bench.load().busy()).as("while they are on their way").isZero();

    bench.says(0, 0, 2, 2);
    assertThat(bench.load().busy()).isZero();

    bench.says(0, 0, 2, 0);
    assertThat(bench.load().busy()).as("with a job each").isEqualTo(2);
  }

  @Test
  void recallsWhatItHasLentForWhoeverHasAJob() {
    bench.says(0, 2, 0, 0);
    var lent = bench.credited();
    bench.credited();
    bench.says(0, 0, 2, 2);
    var other = actors.probe(Dispatcher.Command.class);
    bench.pool.tell(new WorkerPool.Meet(OTHER, other.ref()));
    bench.pool.tell(new WorkerPool.Registered(OTHER, PoolBench.EPOCH, other.ref()));

    bench.pool.tell(new WorkerPool.Want(OTHER, PoolBench.EPOCH, 0, 3, 0, 0));
    assertThat(bench.said(PoolMessage.Recall.class, any -> true)).isNotNull();
    bench.pool.tell(new WorkerPool.GiveBack(lent.number()));

    assertThat(credits(other)).isEqualTo(3);
    bench.dispatcher.expectNoMessage(Duration.ofMillis(1));
  }

  private int credits(TestProbe<Dispatcher.Command> at) {
    int count = 0;
    while (count < 3) {
      count += at.receiveMessage() instanceof PoolMessage.Credited ? 1 : 0;
    }
    return count;
  }

  @Test
  void lendsNothingThatSomebodyWants() {
    bench.says(3, 0, 0, 0);
    for (int i = 0; i < 3; i++) {
      bench.credited();
    }

    bench.says(0, 2, 3, 0);

    bench.load();
    bench.dispatcher.expectNoMessage(Duration.ofMillis(1));
  }
}
