package dev.handoff.ledger;

import dev.handoff.store.Replay;
import dev.handoff.store.Store;
import dev.handoff.store.StoreException;
import java.util.Collection;
import java.util.concurrent.CompletionException;

/// Reads a partition as it is stored, without taking it over: nothing is written, and whoever owns
/// it does not notice. Blocks.
public final class LedgerReader {

  private final Store store;
  private final Folding folding;

  public LedgerReader(Store store, FactCodec codec, Fold fold) {
    this.store = store;
    this.folding = new Folding(codec, fold);
  }

  /// The states of all entities of a partition that have not ended.
  ///
  /// @throws StoreException.Unreadable naming the place that cannot be read
  public Collection<EntityState> read(int partition) {
    var states = new LiveStates();
    var position = Replay.Position.START;
    while (true) {
      var page = page(partition, position);
      page.pieces().forEach(piece -> folding.into(states, piece));
      if (page.last()) {
        return states.copy();
      }
      position = page.next();
    }
  }

  private Replay.Page page(int partition, Replay.Position position) {
    try {
      return store.replay(partition, position).toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof StoreException cause ? cause : failed;
    }
  }
}
