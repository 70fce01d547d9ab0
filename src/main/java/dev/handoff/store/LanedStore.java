package dev.handoff.store;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/// A store over lanes: says which request goes to which lane, and how each tells of trouble. What
/// the lanes' sessions do is all that differs between the kinds of stores.
final class LanedStore implements Store {

  /// Where requests go. Several of them may be one and the same lane.
  ///
  /// @param writers one for each partition, in order; none if the store was opened for reading
  /// @param upkeep for writing that need not wait in line with batches, as the writers
  /// @param contents for contents and the retention that deletes them; none if the store was opened
  ///   for reading
  /// @param lookups for reads that somebody waits for: by id, by key
  /// @param scans for reads that may take their time: lists, replay
  record Lanes(
      List<? extends Lane<? extends Writes>> writers,
      List<? extends Lane<? extends Writes>> upkeep,
      List<? extends Lane<? extends Writes>> contents,
      Lane<? extends Reads> lookups,
      Lane<? extends Reads> scans) {}

  /// How many contents one task reads: others wait behind it.
  private static final int BLOBS_AT_ONCE = 2 * Widths.MOST;

  private final StoreInfo info;
  private final Lanes lanes;
  private final Runnable release;

  /// @param release gives back what is not a lane's, after the lanes have ended
  LanedStore(StoreInfo info, Lanes lanes, Runnable release) {
    this.info = info;
    this.lanes = lanes;
    this.release = release;
  }

  @Override
  public StoreInfo info() {
    return info;
  }

  @Override
  public CompletionStage<Ownership> takeOver(int partition, String owner) {
    String what = place("taking over partition " + partition);
    if (!Text.storable(owner)) {
      return failed(new Trouble.Data("owner has " + Text.fault(owner)), what);
    }
    return alter(lanes.writers(), partition, what, writes -> writes.takeOver(partition, owner));
  }

  @Override
  public CompletionStage<WriteResult> write(Batch batch) {
    String what = place("batch %d of partition %d".formatted(batch.seq(), batch.partition()));
    return answer(lanes.writers(), batch.partition(), what, new WriteBatch(batch));
  }

  @Override
  public CompletionStage<WriteResult> writeChunk(CheckpointChunk chunk) {
    String what =
        place(
            "chunk %d of checkpoint %d of partition %d"
                .formatted(chunk.number(), chunk.base(), chunk.partition()));
    return answer(lanes.upkeep(), chunk.partition(), what, writes -> writes.writeChunk(chunk));
  }

  @Override
  public CompletionStage<Boolean> trim(int partition, long incarnation, int limit) {
    String what = place("trimming partition " + partition);
    return alter(
        lanes.upkeep(), partition, what, writes -> writes.trim(partition, incarnation, limit));
  }

  @Override
  public CompletionStage<Replay.Page> replay(int partition, Replay.Position from) {
    String what = place("replaying partition " + partition);
    return partition < 0 || partition >= info.partitions()
        ? failed(unknown(partition), what)
        : ask(lanes.scans(), what, reads -> reads.replay(partition, from));
  }

  @Override
  public CompletionStage<Optional<HistoryRow>> find(String id) {
    return ask(lanes.lookups(), place("finding an id"), reads -> reads.find(id));
  }

  @Override
  public CompletionStage<List<HistoryRow>> list(HistoryQuery query) {
    return ask(lanes.scans(), place("listing history"), reads -> reads.list(query));
  }

  @Override
  public CompletionStage<Map<String, KeyHolder>> findKeys(Collection<String> keys) {
    var wanted = Set.copyOf(keys);
    return ask(lanes.lookups(), place("finding keys"), reads -> reads.findKeys(wanted));
  }

  @Override
  public CompletionStage<Integer> forget(Instant finishedBefore, int limit) {
    return alter(
        lanes.contents(), 0, place("forgetting"), writes -> writes.forget(finishedBefore, limit));
  }

  /// Looks beside the batches, and takes a place among them only where there is something to
  /// delete.
  @Override
  public CompletionStage<Forgotten> forget(ForgetSlice slice) {
    return ask(lanes.scans(), place("looking for old history"), reads -> reads.old(slice))
        .thenCompose(old -> forget(slice, old));
  }

  private CompletionStage<Forgotten> forget(ForgetSlice slice, OldRows old) {
    var on = new Forgotten(old.next(), old.more());
    return old.rows().isEmpty() && !slice.others()
        ? done(on)
        : alter(
                lanes.contents(),
                0,
                place("forgetting"),
                writes -> writes.forget(old, slice.before()))
            .thenApply(gone -> gone ? on : new Forgotten(slice.after(), true));
  }

  @Override
  public CompletionStage<Integer> forgetKeys(Instant endedBefore, int limit) {
    return alter(
        lanes.contents(),
        0,
        place("forgetting keys"),
        writes -> writes.forgetKeys(endedBefore, limit));
  }

  @Override
  public CompletionStage<Map<String, Long>> historyCounts() {
    return ask(lanes.lookups(), place("counting history"), Reads::historyCounts);
  }

  @Override
  public CompletionStage<List<Set<String>>> keepBlobs(List<Keeping> asked) {
    return alter(lanes.contents(), 0, place("storing contents"), new KeepBlobs(List.copyOf(asked)));
  }

  @Override
  public CompletionStage<Map<String, StoredBlob>> blobs(Collection<String> sha256s) {
    var wanted = sha256s.stream().filter(Hashes::isName).distinct().toList();
    CompletionStage<Map<String, StoredBlob>> found = done(new HashMap<>());
    for (int from = 0; from < wanted.size(); from += BLOBS_AT_ONCE) {
      var some = wanted.subList(from, Math.min(wanted.size(), from + BLOBS_AT_ONCE));
      found = found.thenCompose(before -> andBlobs(some, before));
    }
    return found;
  }

  private CompletionStage<Map<String, StoredBlob>> andBlobs(
      List<String> some, Map<String, StoredBlob> before) {
    return ask(lanes.scans(), place("reading contents"), reads -> reads.blobs(some))
        .thenApply(
            found -> {
              before.putAll(found);
              return before;
            });
  }

  @Override
  public void close() {
    lanes.lookups().close();
    lanes.scans().close();
    lanes.upkeep().forEach(Lane::close);
    lanes.contents().forEach(Lane::close);
    lanes.writers().forEach(Lane::close);
    release.run();
  }

  private String place(String what) {
    return info.place() + ", " + what;
  }

  private <T> CompletionStage<T> ask(
      Lane<? extends Reads> lane, String what, Task.Work<Reads, T> work) {
    return submit(lane, what, work, trouble -> raise(trouble, what));
  }

  private <T> CompletionStage<T> alter(
      List<? extends Lane<? extends Writes>> among,
      int partition,
      String what,
      Task.Work<Writes, T> work) {
    return misplaced(among, partition)
        .map(trouble -> LanedStore.<T>failed(trouble, what))
        .orElseGet(() -> submit(among.get(partition), what, work, trouble -> raise(trouble, what)));
  }

  private CompletionStage<WriteResult> answer(
      List<? extends Lane<? extends Writes>> among,
      int partition,
      String what,
      Task.Work<Writes, WriteResult> work) {
    return misplaced(among, partition)
        .map(trouble -> done(trouble.asResult(what)))
        .orElseGet(() -> submit(among.get(partition), what, work, t -> t.asResult(what)));
  }

  private Optional<Trouble> misplaced(List<?> among, int partition) {
    if (among.isEmpty()) {
      return Optional.of(new Trouble.Data("the store was opened for reading only"));
    }
    return partition >= 0 && partition < info.partitions()
        ? Optional.empty()
        : Optional.of(unknown(partition));
  }

  private Trouble unknown(int partition) {
    return new Trouble.Data(
        "there is no partition %d, only 0 to %d".formatted(partition, info.partitions() - 1));
  }

  private static <R extends AutoCloseable, S extends R, T> CompletionStage<T> submit(
      Lane<S> lane, String what, Task.Work<R, T> work, Function<Trouble, T> orElse) {
    return lane.submit(new Task<S, T>(what, work, orElse));
  }

  private static <T> T raise(Trouble trouble, String what) {
    throw trouble.asException(what);
  }

  private static <T> CompletionStage<T> done(T answer) {
    return CompletableFuture.completedFuture(answer);
  }

  private static <T> CompletionStage<T> failed(Trouble trouble, String what) {
    return CompletableFuture.failedFuture(trouble.asException(what));
  }
}
