package dev.handoff.internal.store;

import dev.handoff.StoreInfo;
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

/// Store whose requests are queued for executors. It maps requests to executors, and failures to
/// answers. Kinds of stores differ only in the sessions of their executors.
public final class QueuedStore implements Store {

  /// Executors by purpose. One executor may serve several purposes.
  ///
  /// @param writers one executor per partition, in order; empty if the store is read-only
  /// @param upkeep executors for writes that need not queue with batches, one per partition
  /// @param contents executors for contents and for retention, which deletes them; empty if the
  ///   store is read-only
  /// @param lookups executor for reads that callers wait for: by id, by key
  /// @param scans executor for slow reads: lists, replay
  public record Executors(
      List<? extends StoreExecutor<? extends StoreWrites>> writers,
      List<? extends StoreExecutor<? extends StoreWrites>> upkeep,
      List<? extends StoreExecutor<? extends StoreWrites>> contents,
      StoreExecutor<? extends StoreReads> lookups,
      StoreExecutor<? extends StoreReads> scans) {}

  /// Most contents per read task, because other tasks wait behind it.
  private static final int BLOBS_AT_ONCE = 2 * InList.MOST;

  private final StoreInfo info;
  private final Executors executors;

  /// Steps of a close, allocated in advance: a close must work without free memory.
  private final List<Runnable> closing;

  /// @param release releases other resources after the executors have ended
  public QueuedStore(StoreInfo info, Executors executors, Runnable release) {
    this.info = info;
    this.executors = executors;
    this.closing =
        List.of(
            () -> executors.lookups().close(),
            () -> executors.scans().close(),
            () -> executors.upkeep().forEach(StoreExecutor::close),
            () -> executors.contents().forEach(StoreExecutor::close),
            () -> executors.writers().forEach(StoreExecutor::close),
            release);
  }

  @Override
  public StoreInfo info() {
    return info;
  }

  @Override
  public CompletionStage<PartitionOwnership> takeOver(int partition, String owner) {
    String what = place("taking over partition " + partition);
    if (!StorableText.storable(owner)) {
      return failed(new DatabaseFailure.Data("owner has " + StorableText.fault(owner)), what);
    }
    return alter(executors.writers(), partition, what, writes -> writes.takeOver(partition, owner));
  }

  @Override
  public CompletionStage<WriteResult> write(StoreBatch batch) {
    String what = place("batch %d of partition %d".formatted(batch.seq(), batch.partition()));
    return answer(executors.writers(), batch.partition(), what, new WriteBatch(batch));
  }

  @Override
  public CompletionStage<WriteResult> writeChunk(CheckpointChunk chunk) {
    String what =
        place(
            "chunk %d of checkpoint %d of partition %d"
                .formatted(chunk.number(), chunk.base(), chunk.partition()));
    return answer(executors.upkeep(), chunk.partition(), what, writes -> writes.writeChunk(chunk));
  }

  @Override
  public CompletionStage<Boolean> trim(int partition, long incarnation, int limit) {
    String what = place("trimming partition " + partition);
    return alter(
        executors.upkeep(), partition, what, writes -> writes.trim(partition, incarnation, limit));
  }

  @Override
  public CompletionStage<PartitionReplay.Page> replay(
      int partition, PartitionReplay.Position from) {
    String what = place("replaying partition " + partition);
    return partition < 0 || partition >= info.partitions()
        ? failed(unknown(partition), what)
        : ask(executors.scans(), what, reads -> reads.replay(partition, from));
  }

  @Override
  public CompletionStage<Optional<HistoryRow>> find(String id) {
    return ask(executors.lookups(), place("finding an id"), reads -> reads.find(id));
  }

  @Override
  public CompletionStage<List<HistoryRow>> list(HistoryQuery query) {
    return ask(executors.scans(), place("listing history"), reads -> reads.list(query));
  }

  @Override
  public CompletionStage<Map<String, KeyHolder>> findKeys(Collection<String> keys) {
    var wanted = Set.copyOf(keys);
    return ask(executors.lookups(), place("finding keys"), reads -> reads.findKeys(wanted));
  }

  @Override
  public CompletionStage<Integer> forget(Instant finishedBefore, int limit) {
    return alter(
        executors.contents(),
        0,
        place("forgetting"),
        writes -> writes.forget(finishedBefore, limit));
  }

  /// Searches on the reading executor, and queues on a writing executor only if rows are to be
  /// deleted.
  @Override
  public CompletionStage<ForgetProgress> forget(ForgetSlice slice) {
    return ask(executors.scans(), place("looking for old history"), reads -> reads.old(slice))
        .thenCompose(old -> forget(slice, old));
  }

  private CompletionStage<ForgetProgress> forget(ForgetSlice slice, OldRows old) {
    var on = new ForgetProgress(old.next(), old.more());
    return old.rows().isEmpty() && !slice.others()
        ? done(on)
        : alter(
                executors.contents(),
                0,
                place("forgetting"),
                writes -> writes.forget(old, slice.before()))
            .thenApply(gone -> gone ? on : new ForgetProgress(slice.after(), true));
  }

  @Override
  public CompletionStage<Integer> forgetKeys(Instant endedBefore, int limit) {
    return alter(
        executors.contents(),
        0,
        place("forgetting keys"),
        writes -> writes.forgetKeys(endedBefore, limit));
  }

  @Override
  public CompletionStage<Map<String, Long>> historyCounts() {
    return ask(executors.lookups(), place("counting history"), StoreReads::historyCounts);
  }

  @Override
  public CompletionStage<List<Set<String>>> keepBlobs(List<BlobUse> asked) {
    return alter(
        executors.contents(), 0, place("storing contents"), new KeepBlobs(List.copyOf(asked)));
  }

  @Override
  public CompletionStage<Map<String, StoredBlob>> blobs(Collection<String> sha256s) {
    var wanted = sha256s.stream().filter(ContentHashes::isName).distinct().toList();
    CompletionStage<Map<String, StoredBlob>> found = done(new HashMap<>());
    for (int from = 0; from < wanted.size(); from += BLOBS_AT_ONCE) {
      var some = wanted.subList(from, Math.min(wanted.size(), from + BLOBS_AT_ONCE));
      found = found.thenCompose(before -> andBlobs(some, before));
    }
    return found;
  }

  private CompletionStage<Map<String, StoredBlob>> andBlobs(
      List<String> some, Map<String, StoredBlob> before) {
    return ask(executors.scans(), place("reading contents"), reads -> reads.blobs(some))
        .thenApply(
            found -> {
              before.putAll(found);
              return before;
            });
  }

  /// Closes all executors, writers last, then releases the lock, even if an executor fails to
  /// close.
  @Override
  public void close() {
    Throwable failure = null;
    for (Runnable step : closing) {
      try {
        step.run();
      } catch (Throwable unclosed) {
        failure = failure == null ? unclosed : failure;
      }
    }
    switch (failure) {
      case null -> {}
      case Error error -> throw error;
      default -> throw new IllegalStateException("the store was not closed in order", failure);
    }
  }

  private String place(String what) {
    return info.place() + ", " + what;
  }

  private <T> CompletionStage<T> ask(
      StoreExecutor<? extends StoreReads> executor,
      String what,
      StoreTask.Work<StoreReads, T> work) {
    return submit(executor, what, work, trouble -> raise(trouble, what));
  }

  private <T> CompletionStage<T> alter(
      List<? extends StoreExecutor<? extends StoreWrites>> among,
      int partition,
      String what,
      StoreTask.Work<StoreWrites, T> work) {
    return misplaced(among, partition)
        .map(trouble -> QueuedStore.<T>failed(trouble, what))
        .orElseGet(() -> submit(among.get(partition), what, work, trouble -> raise(trouble, what)));
  }

  private CompletionStage<WriteResult> answer(
      List<? extends StoreExecutor<? extends StoreWrites>> among,
      int partition,
      String what,
      StoreTask.Work<StoreWrites, WriteResult> work) {
    return misplaced(among, partition)
        .map(trouble -> done(trouble.asResult(what)))
        .orElseGet(() -> submit(among.get(partition), what, work, t -> t.asResult(what)));
  }

  private Optional<DatabaseFailure> misplaced(List<?> among, int partition) {
    if (among.isEmpty()) {
      return Optional.of(new DatabaseFailure.Data("the store was opened for reading only"));
    }
    return partition >= 0 && partition < info.partitions()
        ? Optional.empty()
        : Optional.of(unknown(partition));
  }

  private DatabaseFailure unknown(int partition) {
    return new DatabaseFailure.Data(
        "there is no partition %d, only 0 to %d".formatted(partition, info.partitions() - 1));
  }

  private static <R extends AutoCloseable, S extends R, T> CompletionStage<T> submit(
      StoreExecutor<S> executor,
      String what,
      StoreTask.Work<R, T> work,
      Function<DatabaseFailure, T> orElse) {
    return executor.submit(new StoreTask<S, T>(what, work, orElse));
  }

  private static <T> T raise(DatabaseFailure trouble, String what) {
    throw trouble.asException(what);
  }

  private static <T> CompletionStage<T> done(T answer) {
    return CompletableFuture.completedFuture(answer);
  }

  private static <T> CompletionStage<T> failed(DatabaseFailure trouble, String what) {
    return CompletableFuture.failedFuture(trouble.asException(what));
  }
}
