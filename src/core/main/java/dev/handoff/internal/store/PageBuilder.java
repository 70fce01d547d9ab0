package dev.handoff.internal.store;

import dev.handoff.StoreException;
import java.util.ArrayList;
import java.util.List;

/// Builder of a replay page: adds pieces in order until the page is full.
public final class PageBuilder {

  /// Size in bytes at which a page is full. A single piece may be larger.
  public static final int MOST_BYTES = 4 << 20;

  static final int MOST_ROWS = 4_096;

  /// Size of states in bytes at which a page of history is full.
  public static final int MOST_HISTORY_BYTES = 16 << 20;

  /// Size in bytes at which a page of contents is full.
  public static final int MOST_BLOB_BYTES = 16 << 20;

  /// Chunk number of a replay position behind all chunks of the checkpoint.
  public static final int CHUNKS_READ = -1;

  private final List<PartitionReplay.Piece> pieces = new ArrayList<>();
  private long bytes;

  public static StoreException moved(int partition) {
    return new StoreException.Unavailable(
        "partition %d got another checkpoint while it was read: read it again from the start"
            .formatted(partition),
        null);
  }

  /// Failure of a fenced reader: a replaced owner may miss rows, which is no damage.
  public static StoreException fenced(int partition, PartitionRow now) {
    return new StoreException.Held(
        "partition %d was taken over by %s, incarnation %d, while it was read"
            .formatted(partition, now.owner(), now.incarnation()));
  }

  public static int historyRows(HistoryQuery query) {
    return Math.clamp(query.limit(), 1, 10_000);
  }

  public void add(PartitionReplay.Piece piece) {
    pieces.add(piece);
    bytes += piece.bytes().length;
  }

  public boolean full() {
    return bytes >= MOST_BYTES || pieces.size() >= MOST_ROWS;
  }

  public PartitionReplay.Page upTo(PartitionReplay.Position next, boolean last) {
    return new PartitionReplay.Page(pieces, next, last);
  }
}
