package dev.handoff.internal.store.postgres;

import dev.handoff.internal.store.BatchCheck;
import dev.handoff.internal.store.DatabaseFailure;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.StoreExecutor;
import dev.handoff.internal.store.StoreTask;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;

/// Turn that writes the waiting batches of several partitions with one SQL statement, and the other
/// tasks one by one. The cost of a statement and a commit is then shared.
final class MergedStatement implements StoreExecutor.Turn<PostgresWrites> {

  /// Size limit of a merged statement: large batches gain nothing, and a statement is copied in
  /// memory a few times.
  private static final long MOST_BYTES = 16L << 20;

  @Override
  public void take(PostgresWrites session, List<StoreTask<PostgresWrites, ?>> tasks)
      throws SQLException {
    var batches = firstOfEach(tasks);
    if (batches.size() > 1) {
      session.writeAhead(batches);
    }
    for (StoreTask<PostgresWrites, ?> task : tasks) {
      run(session, task);
      task.tell();
    }
  }

  /// Runs a task. A refusal fails this task only; the following ones still run.
  private static void run(PostgresWrites session, StoreTask<PostgresWrites, ?> task)
      throws SQLException {
    try {
      task.run(session);
    } catch (SQLException failure) {
      DatabaseFailure trouble = session.dialect.trouble(failure);
      if (!(trouble instanceof DatabaseFailure.Data)) {
        throw failure;
      }
      task.refuse(trouble);
    }
  }

  /// First batch of each partition, up to the size limit or the first task of another kind.
  private static List<StoreBatch> firstOfEach(List<StoreTask<PostgresWrites, ?>> tasks) {
    var first = new LinkedHashMap<Integer, StoreBatch>();
    long bytes = 0;
    for (var task : tasks) {
      var batch = task.batch();
      bytes += batch == null ? 0 : BatchCheck.bytes(batch);
      if (batch == null || bytes > MOST_BYTES) {
        break;
      }
      first.putIfAbsent(batch.partition(), batch);
    }
    return List.copyOf(first.values());
  }
}
