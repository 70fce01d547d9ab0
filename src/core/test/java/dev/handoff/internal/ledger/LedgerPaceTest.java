package dev.handoff.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.store.CheckpointChunk;
import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.store.PartitionReplay;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.testing.TestActors;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A ledger that writes large batches without a pause")
class LedgerPaceTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final int STATES = 2_000;
  private static final LedgerSettings SETTINGS =
      new LedgerSettings(
          5, 1 << 15, 1 << 20, 1 << 21, 8_000, 1_024, Duration.ofHours(1), Duration.ofMillis(5));

  /// Log that executes every request at once, and measures its own size.
  private static final class Log {
    private final Deque<StoreBatch> rows = new ArrayDeque<>();
    private long bytes;
    private long most;
    private long checkpoint;
    private long chunks;
    private int checkpoints;

    Store asStore() {
      return (Store)
          Proxy.newProxyInstance(
              Store.class.getClassLoader(),
              new Class<?>[] {Store.class},
              (self, method, arguments) ->
                  CompletableFuture.completedFuture(answer(method.getName(), arguments)));
    }

    private synchronized Object answer(String question, Object[] arguments) {
      return switch (question) {
        case "takeOver" -> new PartitionOwnership(0, 1, 0);
        case "replay" ->
            new PartitionReplay.Page(List.of(), (PartitionReplay.Position) arguments[1], true);
        case "write" -> write((StoreBatch) arguments[0]);
        case "writeChunk" -> writeChunk((CheckpointChunk) arguments[0]);
        case "trim" -> trim((int) arguments[2]);
        default -> throw new IllegalStateException(question);
      };
    }

    private WriteResult write(StoreBatch batch) {
      rows.add(batch);
      bytes += batch.facts().length;
      most = Math.max(most, bytes);
      return new WriteResult.Written(batch.seq());
    }

    private WriteResult writeChunk(CheckpointChunk chunk) {
      chunks += chunk.states().length;
      if (chunk.last()) {
        checkpoint = chunk.base();
        checkpoints++;
      }
      return new WriteResult.Written(chunk.base());
    }

    private boolean trim(int limit) {
      for (int row = 0; row < limit && !rows.isEmpty(); row++) {
        if (rows.peek().seq() > checkpoint) {
          return false;
        }
        bytes -= rows.poll().facts().length;
      }
      return !rows.isEmpty() && rows.peek().seq() <= checkpoint;
    }

    synchronized long most() {
      return most;
    }

    synchronized long stateBytes() {
      return chunks / checkpoints;
    }
  }

  @Test
  void isCutAsFastAsItGrows() {
    var log = new Log();
    var partition = actors.probe(LedgerNotice.class);
    var environment =
        new LedgerEnvironment(
            log.asStore(), CounterEntities.codec(), CounterEntities::fold, SETTINGS, Runnable::run);
    var ledger = actors.spawn(Ledger.create(0, "the test", environment, partition.ref()));
    for (int batch = 0; batch < 3 * STATES; batch++) {
      var fact = CounterEntities.padded(CounterEntities.id(batch % STATES), 1 << 14);
      var fate = new AppendFate();
      ledger.tell(new Ledger.Append(fact.entity(), List.of(fact), List.of(), List.of(), fate));
      fate.next(Ledger.Committed.class);
    }

    assertThat(log.most()).isLessThan(10 * log.stateBytes());
  }
}
