package dev.handoff.store;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/// The durable home of ledgers, checkpoints, history and blobs.
///
/// Every method returns at once; its stage completes on one of the store's own threads, which are
/// never interrupted and never run a caller's code for long: pipe the result to an actor. Writes of
/// one partition take effect in the order of the calls. A stage of [#write] and [#writeChunk] never
/// fails: what went wrong is part of the answer. Stages of the other methods fail with a
/// [StoreException] when the store is away or its content cannot be read.
public interface Store extends AutoCloseable {

  /// What was found when the store was opened.
  StoreInfo info();

  /// Makes the caller the owner of a partition by raising its incarnation: whoever owned it before
  /// is fenced in its next write.
  CompletionStage<Ownership> takeOver(int partition, String owner);

  /// Writes one batch of a partition in one transaction: its ledger row, the history rows of what
  /// ended, and the removal of the history rows of what was opened again. Writing the same batch
  /// again (same partition, incarnation, sequence number) is harmless: that is how an unknown
  /// outcome is resolved. A batch that does not follow the last one is fenced, so hand in the next
  /// one only when this one is written.
  CompletionStage<WriteResult> write(Batch batch);

  /// Writes one chunk of a checkpoint. The chunk marked last completes it; ledger rows up to its
  /// base are then superseded, and so are older or unfinished checkpoints. Writing a chunk again is
  /// harmless. Refused when its base was not written yet, when a later checkpoint is complete, or
  /// when it is the last and one before it is missing.
  CompletionStage<WriteResult> writeChunk(CheckpointChunk chunk);

  /// Deletes at most `limit` superseded rows of a partition, or about 4 MiB of them. Answers
  /// whether there are more; never for an owner that was fenced.
  CompletionStage<Boolean> trim(int partition, long incarnation, int limit);

  /// Reads the next page of a partition's replay: the chunks of its last complete checkpoint, then
  /// the ledger rows after that checkpoint's base; about 4 MiB at a time. Start with
  /// [Replay.Position#START]. A gap fails as [StoreException.Unreadable] with its place.
  CompletionStage<Replay.Page> replay(int partition, Replay.Position from);

  /// The history row of one id.
  CompletionStage<Optional<HistoryRow>> find(String id);

  /// A page of history, newest first. It also ends after about 16 MiB of states, so that a page of
  /// large jobs is shorter than its limit: only an empty page is the end.
  CompletionStage<List<HistoryRow>> list(HistoryQuery query);

  /// Who holds these keys in history, or has left one without a row, by key. No states are read.
  CompletionStage<Map<String, KeyHolder>> findKeys(Collection<String> keys);

  /// Deletes at most `limit` history rows that finished before the given time, and gives back what
  /// plans among them used of contents; those that nobody uses any more are deleted. Answers how
  /// many rows it deleted; or `limit`, whatever it deleted, as long as there are uses to be given
  /// back: a slice of them at a time.
  CompletionStage<Integer> forget(Instant finishedBefore, int limit);

  /// Looks through the next thousand rows of history, in the order of their ends, and deletes those
  /// of some types. Answers how far it came. Contents that are not used any more are given back as
  /// by [#forget(Instant, int)], before it goes on.
  CompletionStage<Forgotten> forget(ForgetSlice slice);

  /// Deletes at most `limit` keys without a row whose jobs ended before the given time. Answers how
  /// many.
  CompletionStage<Integer> forgetKeys(Instant endedBefore, int limit);

  /// How many rows history holds by status. Kept by counting what is written, never by a scan after
  /// the first one.
  CompletionStage<Map<String, Long>> historyCounts();

  /// Stores contents that are not there yet, and counts who uses what, all in one transaction.
  /// Answers in the order asked which of the known contents are missing; what names one that is
  /// missing is not kept, and nothing of it is counted. Doing it again after a failure is harmless.
  /// A few MiB at a time: batches wait behind it.
  CompletionStage<List<Set<String>>> keepBlobs(List<Keeping> asked);

  /// The contents that are there, by SHA-256.
  CompletionStage<Map<String, StoredBlob>> blobs(Collection<String> sha256s);

  /// Waits for what was handed in, then releases every thread, connection and lock. Idempotent.
  @Override
  void close();
}
