package dev.handoff.internal.store;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Task that writes a batch. The executor's thread validates the batch once.
public final class WriteBatch implements StoreTask.Work<StoreWrites, WriteResult> {

  private final StoreBatch batch;
  private @Nullable String fault;
  private boolean checked;

  public WriteBatch(StoreBatch batch) {
    this.batch = batch;
  }

  @Override
  public WriteResult run(StoreWrites session) throws SQLException {
    var why = fault();
    return why == null ? session.write(batch) : new WriteResult.Refused(why);
  }

  @Override
  public @Nullable StoreBatch batch() {
    return fault() == null ? batch : null;
  }

  private @Nullable String fault() {
    if (!checked) {
      fault = BatchCheck.fault(batch);
      checked = true;
    }
    return fault;
  }
}
