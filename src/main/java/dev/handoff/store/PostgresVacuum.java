package dev.handoff.store;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

/// Makes the room of deleted rows free for new ones, as soon as there is much of it. The server
/// does that by itself once a minute; under full load that is 6 GB of ledger for 100 MB that are
/// alive.
///
/// Vacuuming has a thread and a connection of its own. The rest belongs to the thread that trims.
final class PostgresVacuum {

  private static final long ENOUGH_BYTES = 64L << 20;

  /// Without giving pages back at the end of the file: writers would have to wait for that, and
  /// need them again. Waits for its turn, because that is what makes the server's own slow vacuum
  /// give way: skipping it once let the ledger grow to 2 GB.
  private static final String VACUUM = "VACUUM (TRUNCATE false) handoff_ledger, handoff_checkpoint";

  private final Lane<SqlSession> lane;
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
  private long bytes;

  PostgresVacuum(Lane<SqlSession> lane) {
    this.lane = lane;
  }

  void trimmed(long more) {
    bytes += more;
    if (bytes >= ENOUGH_BYTES && last.isDone()) {
      bytes = 0;
      last = lane.submit(new Task<>("vacuuming", PostgresVacuum::run, trouble -> null));
    }
  }

  private static Void run(SqlSession session) throws SQLException {
    session.run(VACUUM);
    return null;
  }

  void close() {
    lane.close();
  }
}
