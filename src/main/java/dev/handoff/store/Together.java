package dev.handoff.store;

import java.sql.SQLException;
import java.util.List;

/// Runs waiting tasks in one transaction, so that they share one sync of the disk. If one of them
/// is refused as data, all is undone and done again with a savepoint around each: that one is
/// refused alone and the others are committed. Savepoints cost on every write what is needed on
/// hardly any, so they are not taken beforehand.
final class Together<S extends SqlSession> implements Lane.Turn<S> {

  @Override
  public void take(S session, List<Task<S, ?>> tasks) throws SQLException {
    try {
      session.run(session.dialect.begin());
      for (Task<S, ?> task : tasks) {
        task.run(session);
      }
      session.run("COMMIT");
    } catch (SQLException failure) {
      rollback(session, failure);
      if (!(session.dialect.trouble(failure) instanceof Trouble.Data)) {
        throw failure;
      }
      apart(session, tasks);
    }
    for (Task<S, ?> task : tasks) {
      task.tell();
    }
  }

  private static <S extends SqlSession> void apart(S session, List<Task<S, ?>> tasks)
      throws SQLException {
    try {
      session.run(session.dialect.begin());
      for (Task<S, ?> task : tasks) {
        runAlone(session, task);
      }
      session.run("COMMIT");
    } catch (SQLException failure) {
      rollback(session, failure);
      throw failure;
    }
  }

  private static <S extends SqlSession> void runAlone(S session, Task<S, ?> task)
      throws SQLException {
    session.run("SAVEPOINT task");
    try {
      task.run(session);
    } catch (SQLException failure) {
      Trouble trouble = session.dialect.trouble(failure);
      if (!(trouble instanceof Trouble.Data)) {
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
