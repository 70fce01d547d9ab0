package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.StoreSettings;
import dev.handoff.internal.store.CheckpointChunk;
import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.EngineHooks;
import dev.handoff.testing.PlanStoreSamples;
import dev.handoff.testing.RandomSeeds;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Plans that are read back from a checkpoint and the log since")
class PlanCheckpointTest {

  /// Without serialization: other tests cover it, and it would dominate the run time.
  @RegisterExtension
  static final TestActors actors =
      TestActors.inRealTime().with("pekko.actor.serialize-messages = off");

  /// Store that copies all writes except checkpoints to a twin, whose log thus stays complete.
  private static final class WithTwin extends StoreAround {

    private final Store twin;
    private final AtomicInteger checkpoints = new AtomicInteger();
    private final Queue<CompletionStage<WriteResult>> writes = new ConcurrentLinkedQueue<>();

    WithTwin(Store inner, Store twin) {
      super(inner);
      this.twin = twin;
    }

    @Override
    public CompletionStage<PartitionOwnership> takeOver(int partition, String owner) {
      return twin.takeOver(partition, owner)
          .thenCompose(unused -> super.takeOver(partition, owner));
    }

    @Override
    public CompletionStage<WriteResult> write(StoreBatch batch) {
      var written = twin.write(batch).thenCompose(unused -> super.write(batch));
      writes.add(written);
      return written;
    }

    @Override
    public CompletionStage<WriteResult> writeChunk(CheckpointChunk chunk) {
      if (chunk.last()) {
        checkpoints.incrementAndGet();
      }
      return super.writeChunk(chunk);
    }

    @Override
    public void close() {
      // Waits until both stores have the same content; the test reads both after the engine.
      writes.forEach(BoundedWaits::get);
    }
  }

  private static Store memory() {
    var access = StoreSettings.Access.OWN;
    return StoreOpener.open(new StoreSettings(new StoreSettings.Memory(), 2, access, "a test"));
  }

  private static void live(Random random, PlanBench bench, Handoff handoff) {
    List<PlanId> plans =
        IntStream.range(0, 4)
            .mapToObj(number -> PlanBench.plan(random, "plan-" + number, 3))
            .map(request -> handoff.plans().submitOrThrow(request).id())
            .toList();
    new BusyCallers(plans, bench.changes(), BusyCallers.Latest::byTheMailbox)
        .work(random, 4, 12, handoff.plans()::plan);
    for (var plan : plans) {
      goOn(random, bench, handoff.plans().plan(plan));
    }
  }

  private static void goOn(Random random, PlanBench bench, PlanHandle plan) {
    switch (random.nextInt(4)) {
      case 0 -> BoundedWaits.get(plan.cancel("not needed").requested());
      case 1 -> {
        BusyCallers.closeAll(plan, bench.changes());
        BoundedWaits.get(plan.result());
        BoundedWaits.get(plan.retry("an operator"));
      }
      case 2 -> BusyCallers.closeAll(plan, bench.changes());
      default -> {}
    }
  }

  @Test
  void areWhatAllFactsMakeOfThem() {
    var checkpoints = new AtomicInteger();
    var plans = new AtomicInteger();
    RandomSeeds.each(
        10,
        random -> {
          try (var whole = memory();
              var cut = memory()) {
            var bench = new PlanBench();
            var store = new WithTwin(cut, whole);
            var builder = Handoff.on(actors.system()).store(new StoreSettings.Memory());
            var around =
                EngineHooks.store(
                    bench.furnish(builder),
                    unused -> {
                      unused.close();
                      return store;
                    });
            try (var handoff =
                around
                    .set("ledger.checkpoint-after", "4KiB")
                    .set("ledger.chunk", "1KiB")
                    .set("ledger.rest", Duration.ZERO)
                    .start()) {
              live(random, bench, handoff);
            }

            var read = PlanStoreSamples.of(cut);
            var all = PlanStoreSamples.of(whole);
            assertThat(read.plans()).isEqualTo(all.plans());
            assertThat(read.jobs()).isEqualTo(all.jobs());
            checkpoints.addAndGet(store.checkpoints.get());
            plans.addAndGet(open(all));
          }
        });

    assertThat(checkpoints.get()).isGreaterThan(20);
    assertThat(plans.get()).isGreaterThan(10);
  }

  private static int open(PlanStoreSamples stored) {
    return (int) stored.plans().values().stream().filter(plan -> !plan.isOver()).count();
  }
}
