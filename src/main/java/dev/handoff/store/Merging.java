package dev.handoff.store;

import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/// Writes the waiting batches of several partitions with one statement, and does the rest one by
/// one. What a statement and a commit cost they cost once, whoever shares them.
final class Merging implements Lane.Turn<PostgresWrites> {

  @Override
  public void take(PostgresWrites session, List<Task<PostgresWrites, ?>> tasks)
      throws SQLException {
    var batches = tasks.stream().map(Task::batch).filter(Objects::nonNull).toList();
    if (batches.size() > 1) {
      session.writeAhead(batches);
    }
    for (Task<PostgresWrites, ?> task : tasks) {
      task.run(session);
      task.tell();
    }
  }
}
