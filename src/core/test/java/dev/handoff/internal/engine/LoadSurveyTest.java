package dev.handoff.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.Queues;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.job.PoolId;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.TestActors;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A survey")
class LoadSurveyTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final TestProbe<Dispatcher.Command> first = actors.probe(Dispatcher.Command.class);
  private final TestProbe<Dispatcher.Command> second = actors.probe(Dispatcher.Command.class);
  private final TestProbe<WorkerPool.Command> pool = actors.probe(WorkerPool.Command.class);
  private final TestProbe<WorkerPool.Command> blocking = actors.probe(WorkerPool.Command.class);
  private final TestProbe<Queues.Command> queues = actors.probe(Queues.Command.class);
  private final CompletableFuture<LoadSurvey.Found> found = new CompletableFuture<>();

  private void begin() {
    actors.spawn(
        LoadSurvey.create(
            List.of(first.ref(), second.ref()),
            List.of(pool.ref(), blocking.ref()),
            queues.ref(),
            found::complete));
  }

  private static void answer(TestProbe<Dispatcher.Command> dispatcher, int partition) {
    dispatcher
        .expectMessageClass(Dispatcher.GetLoad.class)
        .replyTo()
        .tell(new Dispatcher.Load(partition, Map.of(), Set.of("t" + partition)));
  }

  @Test
  void tellsWhatEverybodyHas() {
    begin();

    queues.expectMessageClass(Queues.GetRules.class).replyTo().tell(new Queues.Current(Map.of()));
    answer(first, 0);
    answer(second, 1);
    pool.expectMessageClass(WorkerPool.GetLoad.class)
        .replyTo()
        .tell(new WorkerPool.Load(new PoolId("p"), 4, 3, 2, 1, 1));

    blocking
        .expectMessageClass(WorkerPool.GetLoad.class)
        .replyTo()
        .tell(new WorkerPool.Load(new PoolId("q"), 2, 2, 0, 0, 2));

    var answer = BoundedWaits.get(found);
    assertThat(answer.dispatchers()).extracting(Dispatcher.Load::partition).contains(0, 1);
    assertThat(answer.rules()).isNotNull();
    assertThat(answer.workers())
        .usingRecursiveComparison()
        .ignoringFields("pool")
        .isEqualTo(new WorkerPool.Load(new PoolId("p"), 6, 5, 2, 1, 3));
  }

  @Test
  void doesNotWaitForThoseWhoSayNothing() {
    begin();
    answer(second, 1);

    BoundedWaits.until(
        "it gives up",
        () -> {
          actors.pass(LoadSurvey.PATIENCE);
          return found.isDone();
        });

    var answer = BoundedWaits.get(found);
    assertThat(answer.dispatchers()).hasSizeLessThanOrEqualTo(1);
    assertThat(answer.rules()).isNull();
  }
}
