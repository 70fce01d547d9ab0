package dev.handoff.internal.store.memory;

import dev.handoff.internal.store.CheckpointChunk;
import dev.handoff.internal.store.PageBuilder;
import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.store.PartitionReplay;
import dev.handoff.internal.store.PartitionRow;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Partition in memory: its owner, ledger and checkpoints.
///
/// An engine on `memory` never replays this ledger: the store ends with the process, and a crashed
/// actor is restored from the ledger actor's live states. The ledger is kept nevertheless, as far
/// as the last checkpoint does not replace it (`ledger.checkpoint-after`). Tests of ledgers, plans
/// and crashes stop an owner and start the next one on the same store. They apply the rules of disk
/// stores, and find lost acknowledged facts within milliseconds instead of seconds.
final class MemoryPartition {

  private record ChunkKey(long base, long incarnation, int number) {
    static final Comparator<ChunkKey> ORDER =
        Comparator.comparingLong(ChunkKey::base)
            .thenComparingLong(ChunkKey::incarnation)
            .thenComparingInt(ChunkKey::number);
  }

  private final int id;
  private final NavigableMap<Long, byte[]> ledger = new TreeMap<>();
  private final NavigableMap<ChunkKey, CheckpointChunk> chunks = new TreeMap<>(ChunkKey.ORDER);
  private PartitionRow row = new PartitionRow(0, "nobody", 0, 0, 0, 0, 0);

  MemoryPartition(int id) {
    this.id = id;
  }

  PartitionRow row() {
    return row;
  }

  PartitionOwnership takeOver(String owner) {
    row = row.takenOver(owner);
    return new PartitionOwnership(id, row.incarnation(), row.seq());
  }

  void append(StoreBatch batch) {
    ledger.put(batch.seq(), batch.facts());
    row = row.written(batch);
  }

  WriteResult writeChunk(CheckpointChunk chunk) {
    WriteResult answer = row.answer(chunk);
    if (answer != null) {
      return answer;
    }
    chunks.put(new ChunkKey(chunk.base(), chunk.incarnation(), chunk.number()), chunk);
    if (chunk.last() && before(chunk).size() != chunk.number()) {
      return new WriteResult.Refused("checkpoint " + chunk.base() + " has chunks that are missing");
    }
    if (chunk.last()) {
      row = row.completed(chunk);
    }
    return new WriteResult.Written(chunk.base());
  }

  private Map<ChunkKey, CheckpointChunk> before(CheckpointChunk chunk) {
    return chunks.subMap(
        new ChunkKey(chunk.base(), chunk.incarnation(), 0),
        new ChunkKey(chunk.base(), chunk.incarnation(), chunk.number()));
  }

  private Map<ChunkKey, CheckpointChunk> of(long base, long incarnation, int from) {
    return chunks.subMap(
        new ChunkKey(base, incarnation, from),
        true,
        new ChunkKey(base, incarnation, Integer.MAX_VALUE),
        true);
  }

  boolean trim(long incarnation, int limit) {
    if (incarnation != row.incarnation()) {
      return false;
    }
    List<Long> rows =
        ledger.headMap(row.checkpoint(), true).keySet().stream().limit(limit).toList();
    rows.forEach(ledger::remove);
    List<ChunkKey> old =
        chunks.keySet().stream().filter(this::superseded).limit(limit - rows.size()).toList();
    old.forEach(chunks::remove);
    return !ledger.headMap(row.checkpoint(), true).isEmpty()
        || chunks.keySet().stream().anyMatch(this::superseded);
  }

  private boolean superseded(ChunkKey key) {
    boolean current =
        key.base() == row.checkpoint() && key.incarnation() == row.checkpointIncarnation();
    return !current && (key.base() <= row.checkpoint() || key.incarnation() < row.incarnation());
  }

  PartitionReplay.Page replay(PartitionReplay.Position from) {
    boolean first = from.isStart();
    long base = row.checkpoint();
    if (!from.isOf(row.incarnation())) {
      throw PageBuilder.fenced(id, row);
    }
    if (!first && from.base() != base) {
      throw PageBuilder.moved(id);
    }
    var page = new PageBuilder();
    int chunk = states(first ? 0 : from.chunk(), page);
    long after = first ? base : from.afterSeq();
    if (chunk == PageBuilder.CHUNKS_READ) {
      after = facts(after, page);
    }
    boolean last = chunk == PageBuilder.CHUNKS_READ && after == row.seq();
    return page.upTo(from.next(base, chunk, after), last);
  }

  private int states(int from, PageBuilder page) {
    int next = from;
    if (from != PageBuilder.CHUNKS_READ) {
      for (var chunk : of(row.checkpoint(), row.checkpointIncarnation(), from).values()) {
        if (page.full()) {
          return next;
        }
        page.add(new PartitionReplay.States(chunk.states(), "chunk " + next + " in memory"));
        next++;
        if (chunk.last()) {
          break;
        }
      }
    }
    return PageBuilder.CHUNKS_READ;
  }

  private long facts(long after, PageBuilder page) {
    long last = after;
    for (var entry : ledger.tailMap(after, false).entrySet()) {
      if (page.full()) {
        break;
      }
      last = entry.getKey();
      page.add(new PartitionReplay.Facts(last, entry.getValue(), "batch " + last + " in memory"));
    }
    return last;
  }
}
