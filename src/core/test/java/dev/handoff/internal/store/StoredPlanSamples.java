package dev.handoff.internal.store;

import static dev.handoff.internal.store.StageWait.get;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Plans that use blobs: they end, are reopened, and are forgotten.
public final class StoredPlanSamples {

  public static final int SLICE = 500;

  private final Store store;
  private final PartitionOwner partition;

  public StoredPlanSamples(Store store) {
    this.store = store;
    this.partition = PartitionOwner.of(store, 0);
  }

  public static HistoryRow row(long plan) {
    return of(plan, HistoryRow.PLAN);
  }

  public static HistoryRow of(long id, String kind) {
    return new HistoryRow(
        HistoryRows.id(id),
        kind,
        "succeeded",
        "nightly",
        "",
        null,
        null,
        "",
        1,
        HistoryRows.CREATED,
        HistoryRows.FINISHED.plusSeconds(id),
        HistoryRows.bytes("state"));
  }

  public static PackedBlob blob(String text) {
    return PackedBlob.of(HistoryRows.bytes(text));
  }

  public Set<String> keep(long plan, PackedBlob... contents) {
    return keep(plan, List.of(contents), Set.of());
  }

  public Set<String> keep(long plan, List<PackedBlob> contents, Set<String> known) {
    return get(store.keepBlobs(List.of(new BlobUse(HistoryRows.id(plan), contents, known))))
        .getFirst();
  }

  public void end(long... plans) {
    for (long plan : plans) {
      partition.write(row(plan));
    }
  }

  public void reopen(long plan) {
    partition.reopen(HistoryRows.id(plan));
  }

  /// Forgets all plans that ended up to a given plan.
  ///
  /// @return number of calls
  public int forgetUpTo(long plan) {
    int calls = 1;
    while (get(store.forget(after(plan), SLICE)) == SLICE) {
      calls++;
    }
    return calls;
  }

  public static Instant after(long plan) {
    return row(plan).finishedAt().plusMillis(1);
  }

  /// Hashes of those blobs that are stored.
  public Set<String> there(PackedBlob... contents) {
    return there(List.of(contents));
  }

  public Set<String> there(Collection<PackedBlob> contents) {
    return new TreeSet<>(
        get(store.blobs(contents.stream().map(PackedBlob::sha256).toList())).keySet());
  }
}
