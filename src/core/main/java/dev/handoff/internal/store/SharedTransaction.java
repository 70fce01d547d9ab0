package dev.handoff.internal.store;

import java.sql.SQLException;
import java.util.List;

/// Turn that runs waiting tasks in one transaction, so that they share one disk sync. If a task is
/// refused as data, the transaction is rolled back and repeated with a savepoint per task: only
/// that task is refused. Savepoints are not used in advance: they would slow down every write for a
/// rare case.
public final class SharedTransaction<S extends SqlSession> implements StoreExecutor.Turn<S> {

  @Override
  public void take(S session, List<StoreTask<S, ?>> tasks) throws SQLException {
    try {
      session.run(session.dialect.begin());
      for (StoreTask<S, ?> task : tasks) {
        task.run(session);
      }
      session.run("COMMIT");
    } catch (SQLException failure) {
      rollback(session, failure);
      if (!(session.dialect.trouble(failure) instanceof DatabaseFailure.Data)) {
        throw failure;
      }
      apart(session, tasks);
    }
    for (StoreTask<S, ?> task : tasks) {
      task.tell();
    }
  }

  private static <S extends SqlSession> void apart(S session, List<StoreTask<S, ?>> tasks)
      throws SQLException {
    try {
      session.run(session.dialect.begin());
      for (StoreTask<S, ?> task : tasks) {
        runAlone(session, task);
      }
      session.run("COMMIT");
    } catch (SQLException failure) {
      rollback(session, failure);
      throw failure;
    }
  }

  private static <S extends SqlSession> void runAlone(S session, StoreTask<S, ?> task)
      throws SQLException {
    session.run("SAVEPOINT task");
    try {
      task.run(session);
    } catch (SQLException failure) {
      DatabaseFailure trouble = session.dialect.trouble(failure);
      if (!(trouble instanceof DatabaseFailure.Data)) {
        throw failure;
      }
      session.run("ROLLBACK TO SAVEPOINT task");
      session.undone();
      task.refuse(trouble);
    }
    session.run("RELEASE SAVEPOINT task");
  }

  private static void rollback(SqlSession session, SQLException failure) {
    try {
      session.run("ROLLBACK");
    } catch (SQLException nothingToRollBack) {
      failure.addSuppressed(nothingToRollBack);
    }
    session.undone();
  }
}
