package dev.handoff.store;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;

/// Writes the waiting batches of several partitions with one statement, and does the rest one by
/// one. What a statement and a commit cost they cost once, whoever shares them.
final class Merging implements Lane.Turn<PostgresWrites> {

  /// Large batches gain nothing by it, and a statement is held in memory a few times.
  private static final long MOST_BYTES = 16L << 20;

  @Override
  public void take(PostgresWrites session, List<Task<PostgresWrites, ?>> tasks)
      throws SQLException {
    var batches = firstOfEach(tasks);
    if (batches.size() > 1) {
      session.writeAhead(batches);
    }
    for (Task<PostgresWrites, ?> task : tasks) {
      run(session, task);
      task.tell();
    }
  }

  /// What is refused is refused alone: those behind it have their turn.
  private static void run(PostgresWrites session, Task<PostgresWrites, ?> task)
      throws SQLException {
    try {
      task.run(session);
    } catch (SQLException failure) {
      Trouble trouble = session.dialect.trouble(failure);
      if (!(trouble instanceof Trouble.Data)) {
        throw failure;
      }
      task.refuse(trouble);
    }
  }

  /// The next batch of each partition, as far as nothing else comes before it.
  private static List<Batch> firstOfEach(List<Task<PostgresWrites, ?>> tasks) {
    var first = new LinkedHashMap<Integer, Batch>();
    long bytes = 0;
    for (var task : tasks) {
      var batch = task.batch();
      bytes += batch == null ? 0 : Content.bytes(batch);
      if (batch == null || bytes > MOST_BYTES) {
        break;
      }
      first.putIfAbsent(batch.partition(), batch);
    }
    return List.copyOf(first.values());
  }
}
