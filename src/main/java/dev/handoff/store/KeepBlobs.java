package dev.handoff.store;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/// Storing contents, and how much of a transaction that takes.
record KeepBlobs(List<Keeping> asked) implements Task.Work<Writes, List<Set<String>>> {

  @Override
  public List<Set<String>> run(Writes session) throws SQLException {
    return session.keepBlobs(asked);
  }

  @Override
  public long bytes() {
    return asked.stream().mapToLong(Keeping::bytes).sum();
  }
}
