package dev.handoff.store;

import static dev.handoff.store.Stages.get;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Plans that use contents, in tests: they end, are opened again, and are forgotten.
final class Plans {

  static final int SLICE = 500;

  private final Store store;
  private final PartitionOwner partition;

  Plans(Store store) {
    this.store = store;
    this.partition = PartitionOwner.of(store, 0);
  }

  static HistoryRow row(long plan) {
    return of(plan, HistoryRow.PLAN);
  }

  static HistoryRow of(long id, String kind) {
    return new HistoryRow(
        Rows.id(id),
        kind,
        "succeeded",
        "nightly",
        "",
        null,
        null,
        "",
        1,
        Rows.CREATED,
        Rows.FINISHED.plusSeconds(id),
        Rows.bytes("state"));
  }

  static Blob blob(String text) {
    return Blob.of(Rows.bytes(text));
  }

  Set<String> keep(long plan, Blob... contents) {
    return keep(plan, List.of(contents), Set.of());
  }

  Set<String> keep(long plan, List<Blob> contents, Set<String> known) {
    return get(store.keepBlobs(List.of(new Keeping(Rows.id(plan), contents, known)))).getFirst();
  }

  void end(long... plans) {
    for (long plan : plans) {
      partition.write(row(plan));
    }
  }

  void reopen(long plan) {
    partition.reopen(Rows.id(plan));
  }

  /// Forgets those that ended up to one of them, until nothing is left to be done. Answers how many
  /// calls that took.
  int forgetUpTo(long plan) {
    int calls = 1;
    while (get(store.forget(after(plan), SLICE)) == SLICE) {
      calls++;
    }
    return calls;
  }

  static Instant after(long plan) {
    return row(plan).finishedAt().plusMillis(1);
  }

  /// Those of the contents that are there.
  Set<String> there(Blob... contents) {
    return there(List.of(contents));
  }

  Set<String> there(Collection<Blob> contents) {
    return new TreeSet<>(get(store.blobs(contents.stream().map(Blob::sha256).toList())).keySet());
  }
}
