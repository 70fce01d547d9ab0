package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Around;
import dev.handoff.Handoff;
import dev.handoff.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.store.Batch;
import dev.handoff.store.CheckpointChunk;
import dev.handoff.store.Ownership;
import dev.handoff.store.Store;
import dev.handoff.store.StoreSettings;
import dev.handoff.store.Stores;
import dev.handoff.store.WriteResult;
import dev.handoff.testing.Actors;
import dev.handoff.testing.Seeds;
import dev.handoff.testing.Soon;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.StoredPlans;
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

  /// What crosses the wire is tried elsewhere; here it would take most of the time.
  @RegisterExtension
  static final Actors actors = Actors.inRealTime().with("pekko.actor.serialize-messages = off");

  /// Writes everything into another store too, but for checkpoints: there the log is whole.
  private static final class WithTwin extends StoreAround {

    private final Store twin;
    private final AtomicInteger checkpoints = new AtomicInteger();
    private final Queue<CompletionStage<WriteResult>> writes = new ConcurrentLinkedQueue<>();

    WithTwin(Store inner, Store twin) {
      super(inner);
      this.twin = twin;
    }

    @Override
    public CompletionStage<Ownership> takeOver(int partition, String owner) {
      return twin.takeOver(partition, owner)
          .thenCompose(unused -> super.takeOver(partition, owner));
    }

    @Override
    public CompletionStage<WriteResult> write(Batch batch) {
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
      // What is stored is looked at when the engine has gone, and has to be the same in both.
      writes.forEach(Soon::get);
    }
  }

  private static Store memory() {
    var access = StoreSettings.Access.OWN;
    return Stores.open(new StoreSettings(new StoreSettings.Memory(), 2, access, "a test"));
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
      case 0 -> Soon.get(plan.cancel("not needed").requested());
      case 1 -> {
        BusyCallers.closeAll(plan, bench.changes());
        Soon.get(plan.result());
        Soon.get(plan.retry("an operator"));
      }
      case 2 -> BusyCallers.closeAll(plan, bench.changes());
      default -> {}
    }
  }

  @Test
  void areWhatAllFactsMakeOfThem() {
    var checkpoints = new AtomicInteger();
    var plans = new AtomicInteger();
    Seeds.each(
        10,
        random -> {
          try (var whole = memory();
              var cut = memory()) {
            var bench = new PlanBench();
            var store = new WithTwin(cut, whole);
            var builder = Handoff.on(actors.system()).store(new StoreSettings.Memory());
            var around =
                Around.store(
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

            var read = StoredPlans.of(cut);
            var all = StoredPlans.of(whole);
            assertThat(read.plans()).isEqualTo(all.plans());
            assertThat(read.jobs()).isEqualTo(all.jobs());
            checkpoints.addAndGet(store.checkpoints.get());
            plans.addAndGet(open(all));
          }
        });

    assertThat(checkpoints.get()).isGreaterThan(20);
    assertThat(plans.get()).isGreaterThan(10);
  }

  private static int open(StoredPlans stored) {
    return (int) stored.plans().values().stream().filter(plan -> !plan.isOver()).count();
  }
}
