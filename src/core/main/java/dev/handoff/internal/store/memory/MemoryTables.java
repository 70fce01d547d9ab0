package dev.handoff.internal.store.memory;

import dev.handoff.internal.store.BlobUse;
import dev.handoff.internal.store.CheckpointChunk;
import dev.handoff.internal.store.ForgetSlice;
import dev.handoff.internal.store.HistoryPlace;
import dev.handoff.internal.store.HistoryQuery;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.KeptKey;
import dev.handoff.internal.store.KeyHolder;
import dev.handoff.internal.store.OldRows;
import dev.handoff.internal.store.PageBuilder;
import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.store.PartitionReplay;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.StoreReads;
import dev.handoff.internal.store.StoreWrites;
import dev.handoff.internal.store.StoredBlob;
import dev.handoff.internal.store.WriteResult;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Tables of a store in memory, with the rules of the SQL stores. Belongs to the thread of its
/// executor.
final class MemoryTables implements StoreWrites, StoreReads {

  private final List<MemoryPartition> partitions;
  private final NavigableMap<String, HistoryRow> history = new TreeMap<>();
  private final Map<String, String> idsByKey = new HashMap<>();
  private final Map<String, KeptKey> keptKeys = new HashMap<>();
  private final Map<String, Long> counts = new HashMap<>();
  private final MemoryBlobs blobs = new MemoryBlobs();

  MemoryTables(int partitions) {
    this.partitions = IntStream.range(0, partitions).mapToObj(MemoryPartition::new).toList();
  }

  @Override
  public PartitionOwnership takeOver(int partition, String owner) {
    return partitions.get(partition).takeOver(owner);
  }

  @Override
  public WriteResult write(StoreBatch batch) {
    var partition = partitions.get(batch.partition());
    if (!partition.row().expects(batch)) {
      return partition.row().answer(batch);
    }
    String fault = clash(batch);
    if (fault != null) {
      return new WriteResult.Refused(fault);
    }
    batch.reopened().forEach(this::remove);
    batch.ended().forEach(this::put);
    batch.keptKeys().forEach(kept -> keptKeys.put(kept.key(), kept));
    partition.append(batch);
    return new WriteResult.Written(batch.seq());
  }

  /// Violation of a unique index, found before any change.
  private @Nullable String clash(StoreBatch batch) {
    var ids = new HashSet<String>();
    var keys = new HashSet<String>();
    for (HistoryRow row : batch.ended()) {
      if (!ids.add(row.id()) || (history.containsKey(row.id()) && stays(row.id(), batch))) {
        return "id " + row.id() + " is in history already";
      }
      String holder = idsByKey.get(row.key());
      boolean held = holder != null && stays(holder, batch);
      if (row.key() != null && (!keys.add(row.key()) || held)) {
        return "key " + row.key() + " is in history already";
      }
    }
    return null;
  }

  private static boolean stays(String id, StoreBatch batch) {
    return !batch.reopened().contains(id);
  }

  private void put(HistoryRow row) {
    history.put(row.id(), inMillis(row));
    if (row.key() != null) {
      idsByKey.put(row.key(), row.id());
    }
    counts.merge(row.status(), 1L, Long::sum);
  }

  private void remove(String id) {
    HistoryRow row = history.remove(id);
    if (row != null) {
      idsByKey.remove(row.key());
      counts.computeIfPresent(row.status(), (status, n) -> n == 1 ? null : n - 1);
    }
  }

  private static HistoryRow inMillis(HistoryRow row) {
    return new HistoryRow(
        row.id(),
        row.kind(),
        row.status(),
        row.type(),
        row.queue(),
        row.key(),
        row.plan(),
        row.labels(),
        row.attempt(),
        row.createdAt().truncatedTo(ChronoUnit.MILLIS),
        row.finishedAt().truncatedTo(ChronoUnit.MILLIS),
        row.state(),
        row.fingerprint());
  }

  @Override
  public WriteResult writeChunk(CheckpointChunk chunk) {
    return partitions.get(chunk.partition()).writeChunk(chunk);
  }

  @Override
  public boolean trim(int partition, long incarnation, int limit) {
    return partitions.get(partition).trim(incarnation, limit);
  }

  @Override
  public PartitionReplay.Page replay(int partition, PartitionReplay.Position from) {
    return partitions.get(partition).replay(from);
  }

  @Override
  public Optional<HistoryRow> find(String id) {
    return Optional.ofNullable(history.get(id));
  }

  @Override
  public List<HistoryRow> list(HistoryQuery query) {
    var newestFirst =
        query.before() == null
            ? history.descendingMap()
            : history.headMap(query.before(), false).descendingMap();
    var found = new ArrayList<HistoryRow>();
    long bytes = 0;
    for (HistoryRow row : newestFirst.values()) {
      if (found.size() >= PageBuilder.historyRows(query)
          || bytes >= PageBuilder.MOST_HISTORY_BYTES) {
        break;
      }
      if (matches(row, query)) {
        found.add(row);
        bytes += row.state().length;
      }
    }
    return found;
  }

  private static boolean matches(HistoryRow row, HistoryQuery query) {
    return equal(query.kind(), row.kind())
        && equal(query.status(), row.status())
        && equal(query.type(), row.type())
        && equal(query.queue(), row.queue())
        && equal(query.plan(), row.plan())
        && (query.label() == null || row.labels().contains("|" + query.label() + "|"));
  }

  private static boolean equal(@Nullable String wanted, @Nullable String value) {
    return wanted == null || Objects.equals(wanted, value);
  }

  @Override
  public Map<String, KeyHolder> findKeys(Collection<String> keys) {
    var found = new HashMap<String, KeyHolder>();
    for (String key : keys) {
      String id = idsByKey.get(key);
      if (id != null) {
        found.put(key, new KeyHolder(id, key, history.get(id).fingerprint(), true));
      } else if (keptKeys.containsKey(key)) {
        found.put(key, KeyHolder.of(keptKeys.get(key)));
      }
    }
    return found;
  }

  @Override
  public int forget(Instant finishedBefore, int limit) {
    if (blobs.isPending()) {
      blobs.giveBack();
      return limit;
    }
    var old =
        history.values().stream()
            .filter(row -> row.finishedAt().isBefore(finishedBefore))
            .limit(limit)
            .toList();
    old.forEach(this::forget);
    blobs.giveBack();
    return blobs.isPending() ? limit : old.size();
  }

  @Override
  public OldRows old(ForgetSlice slice) {
    var look = new OldRows.Look(slice);
    history.values().stream()
        .filter(row -> row.finishedAt().isBefore(slice.before()) && isBehind(slice.after(), row))
        .sorted(Comparator.comparing(HistoryRow::finishedAt).thenComparing(HistoryRow::id))
        .limit(OldRows.LOOKED_AT)
        .forEach(
            row ->
                look.add(
                    new OldRows.OldRow(row.id(), row.status(), row.kind()),
                    row.type(),
                    row.plan(),
                    row.finishedAt()));
    return look.done();
  }

  private static boolean isBehind(HistoryPlace place, HistoryRow row) {
    int compared = row.finishedAt().compareTo(place.finishedAt());
    return compared > 0 || compared == 0 && row.id().compareTo(place.id()) > 0;
  }

  @Override
  public boolean forget(OldRows old, Instant finishedBefore) {
    if (blobs.isPending()) {
      blobs.giveBack();
      return false;
    }
    old.rows().stream()
        .map(row -> history.get(row.id()))
        .filter(row -> row != null && row.finishedAt().isBefore(finishedBefore))
        .forEach(this::forget);
    blobs.giveBack();
    return !blobs.isPending();
  }

  private void forget(HistoryRow row) {
    remove(row.id());
    if (row.kind().equals(HistoryRow.PLAN)) {
      blobs.forget(row.id());
    }
  }

  @Override
  public int forgetKeys(Instant endedBefore, int limit) {
    var old =
        keptKeys.values().stream()
            .filter(kept -> kept.endedAt().isBefore(endedBefore))
            .map(KeptKey::key)
            .limit(limit)
            .toList();
    keptKeys.keySet().removeAll(old);
    return old.size();
  }

  @Override
  public Map<String, Long> historyCounts() {
    return Map.copyOf(counts);
  }

  @Override
  public List<Set<String>> keepBlobs(List<BlobUse> asked) {
    return blobs.keep(asked);
  }

  @Override
  public Map<String, StoredBlob> blobs(List<String> sha256s) {
    return blobs.read(sha256s);
  }

  @Override
  public void close() {}
}
