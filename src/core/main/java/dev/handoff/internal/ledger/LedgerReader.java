package dev.handoff.internal.ledger;

import dev.handoff.StoreException;
import dev.handoff.internal.ask.StageFailures;
import dev.handoff.internal.store.PartitionReplay;
import dev.handoff.internal.store.Store;
import java.util.Collection;
import java.util.concurrent.CompletionException;

/// Reads a stored partition without taking it over: no writes, no effect on its owner. Blocks.
public final class LedgerReader {

  private final Store store;
  private final RowFolding folding;

  public LedgerReader(Store store, FactCodec codec, StateFold fold) {
    this.store = store;
    this.folding = new RowFolding(codec, fold);
  }

  /// Reads the states of all live entities of a partition.
  ///
  /// @throws StoreException.Unreadable with the place of the damaged row
  public Collection<EntityState> read(int partition) {
    var states = new LiveStates();
    var position = PartitionReplay.Position.START;
    while (true) {
      var page = page(partition, position);
      page.pieces().forEach(piece -> folding.into(states, piece));
      if (page.last()) {
        return states.copy();
      }
      position = page.next();
    }
  }

  private PartitionReplay.Page page(int partition, PartitionReplay.Position position) {
    try {
      return store.replay(partition, position).toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw StageFailures.cause(failed) instanceof StoreException cause ? cause : failed;
    }
  }
}
