package dev.handoff.internal.store;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/// Task that stores contents, with its size within a transaction.
record KeepBlobs(List<BlobUse> asked) implements StoreTask.Work<StoreWrites, List<Set<String>>> {

  @Override
  public List<Set<String>> run(StoreWrites session) throws SQLException {
    return session.keepBlobs(asked);
  }

  @Override
  public long bytes() {
    return asked.stream().mapToLong(BlobUse::bytes).sum();
  }
}
