package dev.handoff.store;

import java.util.ArrayList;
import java.util.List;

/// A page of a replay while it is put together: pieces in order until it is full.
final class Pages {

  /// A page ends after this many bytes. One piece may be larger than that alone.
  static final int MOST_BYTES = 4 << 20;

  static final int MOST_ROWS = 4_096;

  /// A page of history ends after this many bytes of states.
  static final int MOST_HISTORY_BYTES = 16 << 20;

  /// A page of contents ends after this many bytes.
  static final int MOST_BLOB_BYTES = 16 << 20;

  /// The chunk of a position in the ledger: those of the checkpoint are through.
  static final int CHUNKS_READ = -1;

  private final List<Replay.Piece> pieces = new ArrayList<>();
  private long bytes;

  static StoreException moved(int partition) {
    return new StoreException.Unavailable(
        "partition %d got another checkpoint while it was read: read it again from the start"
            .formatted(partition),
        null);
  }

  /// An owner that is replaced while it reads may find its rows gone: that is no damage.
  static StoreException fenced(int partition, PartitionRow now) {
    return new StoreException.Held(
        "partition %d was taken over by %s, incarnation %d, while it was read"
            .formatted(partition, now.owner(), now.incarnation()));
  }

  static int historyRows(HistoryQuery query) {
    return Math.clamp(query.limit(), 1, 10_000);
  }

  void add(Replay.Piece piece) {
    pieces.add(piece);
    bytes += piece.bytes().length;
  }

  boolean full() {
    return bytes >= MOST_BYTES || pieces.size() >= MOST_ROWS;
  }

  Replay.Page upTo(Replay.Position next, boolean last) {
    return new Replay.Page(pieces, next, last);
  }
}
