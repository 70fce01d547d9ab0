package dev.handoff.internal.ledger;

import static dev.handoff.internal.ledger.CounterEntities.added;
import static dev.handoff.internal.ledger.CounterEntities.closed;
import static dev.handoff.internal.ledger.CounterEntities.counter;
import static dev.handoff.internal.ledger.CounterEntities.id;
import static dev.handoff.internal.ledger.LedgerHarness.chunk;
import static dev.handoff.internal.ledger.LedgerHarness.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.handoff.StoreException;
import dev.handoff.internal.store.PartitionReplay;
import dev.handoff.testing.HandStore;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A reader of a ledger that nobody has open")
class LedgerReaderTest {

  private final HandStore store = new HandStore();
  private final LedgerReader reader =
      new LedgerReader(store, CounterEntities.codec(), CounterEntities::fold);
  private final CompletableFuture<Collection<EntityState>> read =
      CompletableFuture.supplyAsync(() -> reader.read(0), Thread::startVirtualThread);

  private void page(boolean last, PartitionReplay.Piece... pieces) {
    var next = new PartitionReplay.Position(0, 1, -1, 9);
    store.nextReplay().answer(new PartitionReplay.Page(List.of(pieces), next, last));
  }

  @Test
  void findsWhatIsLive() throws Exception {
    page(false, chunk(0, counter(id(1), 1, 1), counter(id(2), 1, 2)));
    page(true, row(10, added(id(1), 5), closed(id(2))));

    assertThat(read.get(10, TimeUnit.SECONDS)).containsExactly(counter(id(1), 2, 1, 5));
  }

  @Test
  void namesThePlaceThatItCannotRead() {
    page(true, new PartitionReplay.Facts(4, new byte[20], "partition 0, batch 4"));

    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(read::join)
        .withCauseInstanceOf(StoreException.Unreadable.class)
        .withMessageContaining("partition 0, batch 4: its checksum");
  }

  @Test
  void saysWhatTheStoreSays() {
    store.nextReplay().fail(new StoreException.Unavailable("no route", null));

    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(read::join)
        .withCauseInstanceOf(StoreException.Unavailable.class);
  }

  @Test
  void hidesNoOtherFailure() {
    store.nextReplay().fail(new IllegalStateException("a bug of the store"));

    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(read::join)
        .withRootCauseInstanceOf(IllegalStateException.class);
  }
}
