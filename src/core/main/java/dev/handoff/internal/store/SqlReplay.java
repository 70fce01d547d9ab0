package dev.handoff.internal.store;

import dev.handoff.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;

/// One page of a partition's replay. Chunks and batches are numbered without gaps, so a lost row is
/// detected and never passes for a shorter history.
final class SqlReplay {

  private final SqlReads reads;
  private final int partition;
  private final PartitionRow row;
  private final PageBuilder page = new PageBuilder();

  SqlReplay(SqlReads reads, int partition, PartitionRow row) {
    this.reads = reads;
    this.partition = partition;
    this.row = row;
  }

  PartitionReplay.Page page(PartitionReplay.Position from) throws SQLException {
    boolean first = from.isStart();
    if (!from.isOf(row.incarnation())) {
      throw PageBuilder.fenced(partition, row);
    }
    if (!first && from.base() != row.checkpoint()) {
      throw PageBuilder.moved(partition);
    }
    int chunk = first ? firstChunk() : from.chunk();
    long after = first ? row.checkpoint() : from.afterSeq();
    if (chunk != PageBuilder.CHUNKS_READ) {
      chunk = chunks(chunk);
    }
    if (chunk == PageBuilder.CHUNKS_READ && !page.full()) {
      after = facts(after);
    }
    boolean last = chunk == PageBuilder.CHUNKS_READ && after == row.seq();
    if (last && row.lastRow() > row.seq()) {
      throw damage("ledger row %d is beyond the last batch %d", row.lastRow(), row.seq());
    }
    return page.upTo(from.next(row.checkpoint(), chunk, after), last);
  }

  private int firstChunk() {
    return row.checkpoint() == 0 ? PageBuilder.CHUNKS_READ : 0;
  }

  /// Reads chunks into the page. Returns the next chunk.
  private int chunks(int from) throws SQLException {
    int next = from;
    long base = row.checkpoint();
    try (ResultSet chunk =
        reads.query(
            reads.dialect.chunkPage(),
            partition,
            base,
            row.checkpointIncarnation(),
            from,
            PageBuilder.MOST_ROWS)) {
      while (!page.full() && chunk.next()) {
        if (chunk.getInt(1) != next) {
          throw damage("chunk %d of checkpoint %d is missing", next, base);
        }
        page.add(
            new PartitionReplay.States(
                chunk.getBytes(3), place("checkpoint %d, chunk %d", base, next)));
        next++;
        if (chunk.getInt(2) != 0) {
          return PageBuilder.CHUNKS_READ;
        }
      }
    }
    if (next == from) {
      throw damage("chunk %d of checkpoint %d is missing", from, base);
    }
    return next;
  }

  /// Reads ledger rows into the page. Returns the last one read.
  private long facts(long after) throws SQLException {
    long last = after;
    try (ResultSet facts =
        reads.query(
            reads.dialect.ledgerPage(), partition, after, row.seq(), PageBuilder.MOST_ROWS)) {
      while (!page.full() && facts.next()) {
        long seq = facts.getLong(1);
        if (seq != last + 1) {
          throw damage("batch %d is missing", last + 1);
        }
        page.add(new PartitionReplay.Facts(seq, facts.getBytes(2), place("batch %d", seq)));
        last = seq;
      }
    }
    if (last == after && after != row.seq()) {
      throw damage("batch %d is missing", after + 1);
    }
    return last;
  }

  private String place(String format, Object... values) {
    return "partition " + partition + ", " + format.formatted(values);
  }

  private StoreException damage(String format, Object... values) {
    return new StoreException.Unreadable(place(format, values), null);
  }
}
