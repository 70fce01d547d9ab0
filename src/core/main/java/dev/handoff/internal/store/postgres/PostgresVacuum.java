package dev.handoff.internal.store.postgres;

import dev.handoff.internal.store.SqlSession;
import dev.handoff.internal.store.StoreExecutor;
import dev.handoff.internal.store.StoreTask;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

/// Vacuum of deleted ledger rows, as soon as they take much space. The server's autovacuum runs
/// once a minute; under full load that means 6 GB of ledger for 100 MB of live data.
///
/// Vacuums run on a thread and a connection of their own. All else belongs to the thread that
/// trims.
final class PostgresVacuum {

  private static final long ENOUGH_BYTES = 64L << 20;

  /// `TRUNCATE false`: writers would wait for the truncation, and need the pages again. The command
  /// waits for its lock, which makes autovacuum yield: skipping locked tables once let the ledger
  /// grow to 2 GB.
  private static final String VACUUM = "VACUUM (TRUNCATE false) handoff_ledger, handoff_checkpoint";

  private final StoreExecutor<SqlSession> executor;
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
  private long bytes;

  PostgresVacuum(StoreExecutor<SqlSession> executor) {
    this.executor = executor;
  }

  void trimmed(long more) {
    bytes += more;
    if (bytes >= ENOUGH_BYTES && last.isDone()) {
      bytes = 0;
      last = executor.submit(new StoreTask<>("vacuuming", PostgresVacuum::run, trouble -> null));
    }
  }

  private static Void run(SqlSession session) throws SQLException {
    session.run(VACUUM);
    return null;
  }

  void close() {
    executor.close();
  }
}
