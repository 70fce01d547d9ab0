package dev.handoff.internal.store;

import dev.handoff.StoreInfo;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/// Durable storage of ledgers, checkpoints, history and blobs.
///
/// Every method returns at once. Its stage completes on a thread of the store, which is never
/// interrupted and must not run a caller's code for long: pipe the result to an actor. Writes of
/// one partition take effect in the order of the calls. Stages of [#write] and [#writeChunk] never
/// fail: failures are part of the answer. Stages of other methods fail with a [StoreException] if
/// the store is unavailable or its content is unreadable.
public interface Store extends AutoCloseable {

  /// Properties of the store, found when it was opened.
  StoreInfo info();

  /// Makes the caller the owner of a partition by raising its incarnation: the former owner's next
  /// write is fenced.
  CompletionStage<PartitionOwnership> takeOver(int partition, String owner);

  /// Writes one batch in one transaction: its ledger row, the history rows of ended jobs and plans,
  /// and the deletion of the history rows of reopened ones. Idempotent for the same batch
  /// (partition, incarnation, sequence number): a repetition resolves an unknown outcome. A batch
  /// that does not follow the last one is fenced, so send the next batch only after this one is
  /// written.
  CompletionStage<WriteResult> write(StoreBatch batch);

  /// Writes one chunk of a checkpoint. Idempotent. The last chunk completes the checkpoint, which
  /// supersedes ledger rows up to its base, and older or unfinished checkpoints. A chunk is refused
  /// if its base is not written yet, if a later checkpoint is complete, or if it is the last and an
  /// earlier chunk is missing.
  CompletionStage<WriteResult> writeChunk(CheckpointChunk chunk);

  /// Deletes at most `limit` superseded rows of a partition, or about 1 MiB of them. Returns
  /// whether more rows are left; always false for a fenced owner.
  CompletionStage<Boolean> trim(int partition, long incarnation, int limit);

  /// Reads the next page of a partition's replay, about 4 MiB: chunks of its last complete
  /// checkpoint, then the later ledger rows. Start with [PartitionReplay.Position#START]. A gap
  /// fails with [StoreException.Unreadable] and its location.
  CompletionStage<PartitionReplay.Page> replay(int partition, PartitionReplay.Position from);

  /// History row of one id.
  CompletionStage<Optional<HistoryRow>> find(String id);

  /// Page of history, newest first. A page also ends after about 16 MiB of states, so it may be
  /// shorter than its limit: only an empty page marks the end.
  CompletionStage<List<HistoryRow>> list(HistoryQuery query);

  /// Holders of these keys, by key: history rows, or keys kept without a row. No states are read.
  CompletionStage<Map<String, KeyHolder>> findKeys(Collection<String> keys);

  /// Deletes at most `limit` history rows that finished before the given time, and releases the
  /// contents used by deleted plans; unused contents are deleted. Returns the number of deleted
  /// rows; or `limit`, as long as further slices of uses have to be released.
  CompletionStage<Integer> forget(Instant finishedBefore, int limit);

  /// Scans the next thousand history rows in the order of their ends, and deletes rows of some
  /// types. Returns the progress. As in [#forget(Instant, int)], unused contents are released
  /// first.
  CompletionStage<ForgetProgress> forget(ForgetSlice slice);

  /// Deletes at most `limit` keys without a history row whose jobs ended before the given time.
  /// Returns the number of deleted keys.
  CompletionStage<Integer> forgetKeys(Instant endedBefore, int limit);

  /// Number of history rows per status. Counters are updated by every write; no table scan.
  CompletionStage<Map<String, Long>> historyCounts();

  /// Stores new contents and registers uses, all in one transaction. Returns the missing known
  /// contents per request, in order; a request with missing contents is ignored completely. A
  /// repetition after a failure is harmless. Send a few MiB at a time: batches wait behind this
  /// call.
  CompletionStage<List<Set<String>>> keepBlobs(List<BlobUse> asked);

  /// Stored contents by SHA-256; missing ones are left out.
  CompletionStage<Map<String, StoredBlob>> blobs(Collection<String> sha256s);

  /// Runs queued requests, then releases all threads, connections and locks. Idempotent.
  @Override
  void close();
}
