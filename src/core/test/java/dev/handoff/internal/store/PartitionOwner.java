package dev.handoff.internal.store;

import static dev.handoff.internal.store.StageWait.get;

import java.util.List;
import java.util.concurrent.CompletionStage;

/// Owner of a partition, which numbers its batches.
public final class PartitionOwner {

  private final Store store;
  private final PartitionOwnership ownership;
  private long seq;

  private PartitionOwner(Store store, PartitionOwnership ownership) {
    this.store = store;
    this.ownership = ownership;
    this.seq = ownership.seq();
  }

  public static PartitionOwner of(Store store, int partition) {
    return new PartitionOwner(store, get(store.takeOver(partition, "owner of " + partition)));
  }

  public int partition() {
    return ownership.partition();
  }

  public long incarnation() {
    return ownership.incarnation();
  }

  public long seq() {
    return seq;
  }

  /// Creates the next batch without writing it.
  public StoreBatch next(HistoryRow... ended) {
    return batch(seq + 1, "facts " + (seq + 1), List.of(ended), List.of());
  }

  public StoreBatch batch(
      long number, String facts, List<HistoryRow> ended, List<String> reopened) {
    return new StoreBatch(
        partition(), incarnation(), number, HistoryRows.bytes(facts), ended, reopened);
  }

  public CompletionStage<WriteResult> hand(StoreBatch batch) {
    seq = batch.seq();
    return store.write(batch);
  }

  public WriteResult write(HistoryRow... ended) {
    return get(hand(next(ended)));
  }

  public WriteResult reopen(String... ids) {
    return get(hand(batch(seq + 1, "reopened", List.of(), List.of(ids))));
  }

  public CheckpointChunk chunk(long base, int number, String states, boolean last) {
    return new CheckpointChunk(
        partition(), incarnation(), base, number, HistoryRows.bytes(states), last);
  }

  public WriteResult checkpoint(long base, int number, String states, boolean last) {
    return get(store.writeChunk(chunk(base, number, states, last)));
  }
}
